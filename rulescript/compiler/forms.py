"""Which passes make which form of a game's code. All forms are made from the same lowered code (lower/).

``play`` can do everything: write a journal, ask about single options, be told its dice. ``claims`` is the same for
examples, which can be stopped where a phase begins. ``search`` does nothing but play: bots, playouts, positions that
keep no journal. What each pass brings to it, `make bench` prints."""

from __future__ import annotations

from rulescript.compiler.passes.answering_tables import answering_tables
from rulescript.compiler.passes.answers_in_place import answers_in_place
from rulescript.compiler.passes.dead_names import without_dead_names
from rulescript.compiler.passes.deeds_in_place import deeds_in_place
from rulescript.compiler.passes.dice_and_picks import dice_and_picks
from rulescript.compiler.passes.fewer_steps import fewer_steps
from rulescript.compiler.passes.flat_loops import flat_loops
from rulescript.compiler.passes.hoisted import hoisted
from rulescript.compiler.passes.joined_masks import join_masks
from rulescript.compiler.passes.joined_tables import joined_tables
from rulescript.compiler.passes.jump_threading import join_blocks, thread_jumps
from rulescript.compiler.passes.kept_answers import kept_answers
from rulescript.compiler.passes.kept_charts import kept_charts, note_charted
from rulescript.compiler.passes.kept_lists import kept_lists
from rulescript.compiler.passes.kept_tables import kept_tables
from rulescript.compiler.passes.kept_ways import kept_ways
from rulescript.compiler.passes.known_places import known_places
from rulescript.compiler.passes.late_charges import late_charges
from rulescript.compiler.passes.memos import memos
from rulescript.compiler.passes.narrow_masks import narrow_masks
from rulescript.compiler.passes.no_journal import without_journal
from rulescript.compiler.passes.open_loops import open_loops
from rulescript.compiler.passes.option_values import options_as_values
from rulescript.compiler.passes.passing import passing_names
from rulescript.compiler.passes.plain_stores import plain_stores
from rulescript.compiler.passes.plain_tests import plain_tests
from rulescript.compiler.passes.presence import presence_masks
from rulescript.compiler.passes.put_back import put_back
from rulescript.compiler.passes.put_changed import put_changed
from rulescript.compiler.passes.reuse_reads import reuse_reads
from rulescript.compiler.passes.rules_in_place import rules_in_place
from rulescript.compiler.passes.run_numbers import note_changes, run_numbers
from rulescript.compiler.passes.same_values import same_values
from rulescript.compiler.passes.sets_of_one import sets_of_one
from rulescript.compiler.passes.settled_tests import settled_tests
from rulescript.compiler.passes.settled_values import fewer_names, settled_values
from rulescript.compiler.passes.unions import join_unions, unions
from rulescript.compiler.passes.unit import Pass, Unit
from rulescript.compiler.passes.whole_charges import whole_charges
from rulescript.compiler.passes.whole_piles import few_written_out, whole_piles

__all__ = ["FORMS", "NEEDED", "make_form"]

FORMS: dict[str, tuple[Pass, ...]] = {
    "play": (thread_jumps,),
    "claims": (thread_jumps,),
    "search": (
        without_journal,
        without_dead_names,
        settled_tests,
        put_changed,
        rules_in_place,
        options_as_values,
        flat_loops,
        known_places,
        put_back,
        kept_lists,
        kept_charts,
        kept_answers,
        same_values,
        kept_ways,
        run_numbers,
        whole_piles,
        presence_masks,
        few_written_out,
        note_changes,
        note_charted,
        unions,
        answers_in_place,
        join_unions,
        kept_tables,
        dice_and_picks,
        memos,
        rules_in_place,
        narrow_masks,
        whole_charges,
        open_loops,
        hoisted,
        join_masks,
        deeds_in_place,
        settled_values,
        plain_tests,
        plain_stores,
        join_blocks,
        fewer_steps,
        passing_names,
        reuse_reads,
        fewer_names,
        late_charges,
        joined_tables,
        answering_tables,
        sets_of_one,
    ),
}
# Others need what these make.
NEEDED = frozenset({"options_as_values", "note_changes", "note_charted"})


def make_form(form: str, unit: Unit, left_out: frozenset[str] = frozenset()) -> Unit:
    """Run the passes of a form; without those named in `left_out`, to see what they bring."""
    for each in FORMS[form]:
        if each.__name__ not in left_out:
            each(unit)
    return unit
