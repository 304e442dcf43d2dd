"""`python -m samebits` is the command `samebits`."""

import sys

from samebits.cli import main

if __name__ == "__main__":
    sys.exit(main())
