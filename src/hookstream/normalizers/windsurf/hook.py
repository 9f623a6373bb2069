"""Windsurf's hooks. Standard output is never read. Source: the vendor's documentation."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(
            tool="pre_read_code pre_write_code pre_run_command pre_mcp_tool_use",
            gate="pre_user_prompt",
            after="post_read_code post_write_code post_run_command post_mcp_tool_use",
        ),
        None,
        None,
    ),
    marks="agent_action_name",
)
