"""OpenCode: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "chat.message command.execute.before tool.execute.before tool.execute.after permission.ask "
    "experimental.text.complete session.created session.deleted session.idle session.status "
    "session.error session.compacted message.updated message.part.updated permission.asked "
    "permission.replied todo.updated dispose".split()
)
LEFT_OUT = {
    "chat.params": "holds the provider's key",
    "chat.headers": "holds the provider's key",
    "config": "holds the provider's key",
    "experimental.compaction.autocontinue": "holds the provider's key",
    "shell.env": "the environment of a call that tool.execute.before tells",
    "message.part.delta": "a piece of a text",
}
INSTALL = InstallFacts(
    key="opencode",
    title="OpenCode",
    recorded="1.18.33",
    programs=("opencode",),
    traces=(".config/opencode", ".local/share/opencode"),
    events=EVENTS,
    left_out=LEFT_OUT,
)
