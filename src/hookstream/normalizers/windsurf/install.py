"""Windsurf: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "pre_user_prompt pre_run_command post_run_command pre_read_code post_read_code "
    "pre_write_code post_write_code pre_mcp_tool_use post_mcp_tool_use post_cascade_response "
    "post_setup_worktree".split()
)
LEFT_OUT = {
    "post_cascade_response_with_transcript": "a hook there makes the client write whole "
    "transcripts to disk, and it repeats post_cascade_response",
}
INSTALL = InstallFacts(
    key="windsurf",
    title="Windsurf",
    programs=("windsurf",),
    traces=(".codeium/windsurf", ".windsurf"),
    events=EVENTS,
    left_out=LEFT_OUT,
)
