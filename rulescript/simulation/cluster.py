"""Parts of a run on an existing Dask cluster (`rulescript[cluster]`).

A part is a function of the job and of its numbers alone, so Dask may play it anywhere and, when a worker is gone, once
more. Here each part is taken once, when it first comes back. At most a few parts a worker are under way at a time: a
scheduler never holds a whole run, and who is stopped has lost little."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from attrs import define

from rulescript import __version__
from rulescript.errors import BadRun, RulescriptError

__all__ = ["Cluster"]

WAIT = 10.0  # seconds until a scheduler, or its first worker, has to answer
AHEAD = 2  # parts under way for each thread
MOST_DEATHS = 3


@define
class Cluster:
    """The workers of a scheduler. `begin` makes the function that does the work, and can be pickled."""

    client: Any
    address: str
    begin: Callable[[], Callable[[Any], Any]]

    @classmethod
    def at(cls, address: str, begin: Callable[[], Callable[[Any], Any]]) -> Cluster:
        """BadRun if nobody answers there, or nobody can play."""
        try:
            from distributed import Client
        except ImportError:
            raise BadRun(
                "--dask needs Dask, which is not installed", hint="pip install 'rulescript[cluster]'"
            ) from None
        try:
            client = Client(address, timeout=WAIT, set_as_default=False)
        except Exception as problem:  # besides errors of the system Dask has had several of its own for it
            said = str(problem).splitlines()[0][:160] if str(problem) else type(problem).__name__
            raise BadRun(
                f"no Dask scheduler answers at `{address}` ({said})", hint="an address is like tcp://10.0.0.5:8786"
            ) from None
        made = cls(client, address, begin)
        try:
            made._look()
        except BaseException:
            made.end()
            raise
        return made

    def _look(self) -> None:
        """Whether there are workers, with the same rulescript."""
        try:
            self.client.wait_for_workers(1, timeout=WAIT)
        except Exception:  # Dask has had several errors for it
            raise BadRun(f"the Dask scheduler at `{self.address}` has no workers") from None
        found = self.client.run(_version_there)
        for worker, version in found.items():
            if version != __version__:
                said = f"rulescript {version}, not {__version__}" if version else "no rulescript"
                raise BadRun(f"the Dask worker {worker} has {said}", hint="install the same version on every worker")

    @property
    def threads(self) -> int:
        return max(1, sum(map(int, self.client.nthreads().values())))

    def do(self, tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Each task with its answer, as they come."""
        from distributed import as_completed
        from distributed.scheduler import KilledWorker

        waiting = iter(tasks)
        at: dict[Any, Any] = {}
        deaths: dict[Any, int] = {}

        def submit(task: Any) -> Any:
            future = self.client.submit(_work_there, self.begin, task, pure=False)
            at[future] = task
            return future

        try:
            first = [submit(task) for task in islice(waiting, AHEAD * self.threads)]
            coming = as_completed(first, loop=self.client.loop)
            for future in coming:
                task = at.pop(future)
                try:
                    answer = future.result()
                except RulescriptError:
                    raise
                except KilledWorker as problem:
                    deaths[task] = deaths.get(task, 0) + 1
                    if deaths[task] >= MOST_DEATHS:
                        raise BadRun(
                            f"Dask workers ended again and again in the middle of their games ({problem})"
                        ) from None
                    coming.add(submit(task))
                    continue
                except Exception as problem:
                    said = str(problem).splitlines()[0][:160] if str(problem) else ""
                    raise BadRun(
                        f"the Dask cluster at `{self.address}` failed: {type(problem).__name__} {said}"
                    ) from None
                future.release()
                for task_ in islice(waiting, 1):
                    coming.add(submit(task_))
                yield task, answer
        finally:
            for future in at:
                future.release()

    def end(self) -> None:
        self.client.close(timeout=5)


def _version_there() -> str:
    try:
        from rulescript import __version__ as version
    except ImportError:
        return ""
    return version


def _work_there(begin: Callable[[], Callable[[Any], Any]], task: Any) -> Any:
    return begin()(task)
