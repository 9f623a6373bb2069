"""Start the Spark job: `python -m hookstream.spark`."""

import sys

from hookstream.spark import main

sys.exit(main())
