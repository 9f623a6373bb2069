"""Sessions in which later facts depend on earlier ones: denials, loops, rewritten inputs."""

from __future__ import annotations

from .stage import payload


def eventful(session: str, rounds: int = 6) -> list[bytes]:
    """Lines of one session; most of their events need what came before."""
    lines = [payload("SessionStart", session, source="startup")]
    for n in range(rounds):
        tool = {"tool_name": "Bash", "tool_input": {"command": "make test", "timeout": n}}
        call = f"{session}-{n}"
        lines += [
            payload("UserPromptSubmit", session, prompt=f"try {n // 3}", prompt_id=f"p-{n // 3}")
            if n % 3 == 0
            else payload("Notification", session, message=f"waiting {n}", notification_type="idle"),
            payload("PreToolUse", session, tool_use_id=call, permission_mode="default", **tool),
        ]
        if n % 4 == 1:
            lines.append(
                payload("PermissionDenied", session, tool_use_id=call, reason="no", **tool)
            )
            continue
        changed = {**tool, "tool_input": {"command": "make test", "timeout": n + 100}}
        lines.append(
            payload(
                "PostToolUseFailure",
                session,
                tool_use_id=call,
                error="exit 2",
                **(changed if n % 2 else tool),
            )
        )
        lines.append(
            payload(
                "PreToolUse",
                session,
                tool_name="Write",
                tool_input={"file_path": f"/w/{n}", "content": "a" * n},
                tool_use_id=f"{call}-w",
            )
        )
    lines.append(payload("Stop", session, stop_hook_active=False))
    lines.append(payload("SessionEnd", session, reason="clear"))
    return lines


def mixed(sessions: int, rounds: int = 6) -> list[bytes]:
    """Several sessions, their lines in turn."""
    each = [eventful(f"m-{n}", rounds) for n in range(sessions)]
    longest = max(map(len, each))
    return [lines[n] for n in range(longest) for lines in each if n < len(lines)]
