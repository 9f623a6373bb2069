"""The first file that Python runs of a bundle. Old Pythons read it too, so it is in their words."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  that is what it asks
    sys.stderr.write(
        "hookstream: needs Python 3.11 or newer, this is %d.%d (%s)\n"  # noqa: UP031
        % (sys.version_info[0], sys.version_info[1], sys.executable)
    )
    sys.exit(2)

if __name__ == "__main__":
    from hookstream.bundle.main import main

    sys.exit(main())
