"""Pi: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "session_start session_shutdown session_before_switch session_before_fork session_tree "
    "session_before_compact session_compact input user_bash tool_execution_start tool_result "
    "tool_execution_end turn_end agent_end model_select thinking_level_select".split()
)
TOLD = "told by an event that is registered"
LEFT_OUT = {
    "tool_call": "a listener that fails there blocks the call; tool_execution_start tells of it",
    "context": "the whole prompt",
    "before_provider_request": "the whole prompt",
    "before_agent_start": "the whole prompt",
    "tool_execution_update": "a piece of a result",
    "message_update": "a piece of a message",
    "resources_discover": "the client's own bookkeeping",
    **dict.fromkeys(
        (
            "agent_start",
            "turn_start",
            "message_start",
            "message_end",
            "after_provider_response",
        ),
        TOLD,
    ),
}
INSTALL = InstallFacts(
    key="pi",
    title="Pi",
    programs=("pi",),
    traces=(".pi/agent",),
    events=EVENTS,
    left_out=LEFT_OUT,
)
