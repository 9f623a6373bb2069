"""Pi: an extension file of ours in its extensions folder.

Sources: the extension documentation in 0.73.1 and trials with it. A project's extensions come
before a person's, then the order is that of their names: ours sorts first.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, PluginModule

HOME = Place("$PI_CODING_AGENT_DIR or ~/.pi/agent")
NAME = "extensions/00-hookstream.js"
SOURCE = "pi/extension.js"

CLIENT = Client(
    "pi",
    "Pi",
    programs="pi",
    recorded="1.6.0",
    traces=(".pi/agent",),
    home=HOME,
    events=tuple(
        "session_start session_shutdown session_before_switch session_before_fork session_tree "
        "session_before_compact session_compact input user_bash tool_execution_start tool_result "
        "tool_execution_end turn_end agent_end model_select thinking_level_select".split()
    ),
    left_out={
        "tool_call": "a listener that fails there blocks the call; tool_execution_start tells of "
        "it",
        "context": "the whole prompt",
        "before_provider_request": "the whole prompt",
        "before_agent_start": "the whole prompt",
        "tool_execution_update": "a piece of a result",
        "message_update": "a piece of a message",
        "resources_discover": "the client's own bookkeeping",
        **dict.fromkeys(
            "agent_start turn_start message_start message_end after_provider_response".split(),
            "told by an event that is registered",
        ),
    },
    files={
        "user": (PluginModule(HOME / NAME, SOURCE),),
        "project": (PluginModule(Place("./.pi") / NAME, SOURCE),),
    },
    sessions=(
        Place("$PI_CODING_AGENT_SESSION_DIR or ~/.pi/agent/sessions"),
        HOME / "sessions",
    ),
    proofs="yy- yy- yy- yy- yp- yp- nn- py- nn- yy- pp-",
    settings=(HOME / "settings.json", Place("./.pi/settings.json")),
)
