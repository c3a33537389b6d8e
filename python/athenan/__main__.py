"""`python -m athenan` is the command `athenan`."""

import sys

from athenan.cli import main

sys.exit(main())
