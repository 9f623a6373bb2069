"""hookstream: one audit stream from every AI coding agent.

`normalize` turns a native payload into Events, `read` a file or folder of them, `redact` replaces
secrets in a text or JSON value. `to_agent_hooks` and `to_aarts` render an Event.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
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

PLACES = {
    "Event": "core.event",
    "HookstreamError": "core.errors",
    "UnreadablePayload": "core.errors",
    "__version__": "version",
}


def __getattr__(name: str) -> object:
    """Import what is asked for: until the command line listens, Ctrl-C is a traceback."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{PLACES.get(name, 'api')}"), name)
