"""``python -m rulescript`` is the command line."""

import sys

from rulescript.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
