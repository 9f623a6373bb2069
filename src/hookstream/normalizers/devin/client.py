"""Devin: hooks.v1.json of a project, config.json of a user; groups with matchers, seconds.

Source: the vendor's hook pages. Devin also runs the hooks of Claude Code's settings files: where
those hold ours, each event comes twice, the second time under a registration of claude-code.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, HooksJson, grouped

XDG = "$XDG_CONFIG_HOME/devin or ~/.config/devin"
HOME = Place(XDG, XDG, f"$APPDATA/devin or {XDG}")
ENTRY = grouped(10)

CLIENT = Client(
    "devin",
    "Devin",
    programs="devin",
    traces=(".config/devin",),
    home=HOME,
    events=tuple(
        "SessionStart SessionEnd UserPromptSubmit PreToolUse PermissionRequest PostToolUse Stop "
        "PostCompaction".split()
    ),
    project_note="Devin loads no hooks in a workspace under Restricted Mode",
    files={
        "user": (HooksJson(HOME / "config.json", ENTRY, first=True),),
        # The file is the table of events itself.
        "project": (HooksJson(Place("./.devin/hooks.v1.json"), ENTRY, first=True, table=None),),
    },
    proofs="y-- y-- y-- y-- p-- n-- n-- y-- p-- n-- n--",
    remark="as documented and published, no recording; session files are not read",
    settings=(Place("./.devin/hooks.json"),),
)
