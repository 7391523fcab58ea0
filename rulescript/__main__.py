"""``python -m rulescript`` is the command line."""

import sys

if __name__ == "__main__":
    try:
        from rulescript.cli.main import main

        sys.exit(main())
    except KeyboardInterrupt:  # before or after what `main` does, which tells it itself
        sys.exit(130)
