"""Start the Spark job: `python -m hookstream.spark`."""

import sys

from hookstream.integrations.spark import main

if __name__ == "__main__":
    sys.exit(main())
