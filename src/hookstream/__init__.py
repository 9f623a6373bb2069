"""hookstream: one audit stream from every AI coding agent.

`normalize` turns a native payload into Events, `read` a file or folder of them, `redact` replaces
secrets in a text or JSON value. `to_agent_hooks` and `to_aarts` render an Event.
"""

from hookstream.api import normalize, read, redact, to_aarts, to_agent_hooks
from hookstream.core.errors import HookstreamError, UnreadablePayload
from hookstream.core.event import Event
from hookstream.version import __version__

__all__ = [
    "Event",
    "HookstreamError",
    "UnreadablePayload",
    "__version__",
    "normalize",
    "read",
    "redact",
    "to_aarts",
    "to_agent_hooks",
]
