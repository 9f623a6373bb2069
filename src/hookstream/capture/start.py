"""The first module of a registered hook: `python -I -S -E -c "...; import this module"`.

Importing it runs the hook and ends the process with exit status 0. It is a module and no script,
because a module is compiled once and a script at every start.
"""

from __future__ import annotations

import gc
import sys

gc.disable()  # a process of some milliseconds leaves nothing that is worth collecting

from hookstream.capture import light  # noqa: E402

light.install()

from hookstream.capture.hook import run  # noqa: E402

run(sys.argv[1:])
