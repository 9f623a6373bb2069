"""A systemd user unit for the collector, with everything shut that it does not need."""

from __future__ import annotations

from collections.abc import Sequence

from hookstream.capture.install.launcher import command_words

UNIT = """\
# ~/.config/systemd/user/hookstream.service
# systemctl --user daemon-reload && systemctl --user enable --now hookstream.service
[Unit]
Description=hookstream collector: audit events of AI coding agents
Documentation=https://pypi.org/project/hookstream/

[Service]
Type=exec
ExecStart={command}
Restart=on-failure
RestartSec=2
TimeoutStopSec=5
UMask=0077
Nice=5
MemoryMax=512M
TasksMax=128
LimitCORE=0
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=default.target
"""


def unit(arguments: Sequence[str] = ()) -> str:
    """The unit's text; `arguments` are those of `serve`."""
    words = [*command_words(), "serve", *arguments]
    return UNIT.format(command=" ".join(_word(word) for word in words))


def _word(word: str) -> str:
    """One argument of ExecStart: `%` and `$` are special there, and blanks separate arguments."""
    word = word.replace("\\", "\\\\").replace("%", "%%").replace("$", "$$")
    if any(mark in word for mark in " \t\"';"):
        return '"' + word.replace('"', '\\"') + '"'
    return word
