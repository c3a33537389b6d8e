"""`python -m athenan` is the command `athenan`."""

import sys

from athenan.commands import main

sys.exit(main())
