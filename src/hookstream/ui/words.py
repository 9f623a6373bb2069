"""Texts of pages: what a gap counts, what a column means, why a list may be empty."""

from __future__ import annotations

from hookstream.lake.dictionary import MEANINGS

# What the number of a gap counts, by the question `gaps`.
GAPS = {
    "broken_lines": "lines that could not be read",
    "rejected_records": "records that were rejected",
    "shared_ids": "sessions whose id several machines have",
    "no_session_end": "sessions without an end",
    "own_time_ahead": "sessions with records from the future",
    "no_session_start": "sessions without a start",
    "cut_by_retention": "events removed by retention",
    "no_after_events": "sessions whose calls have no end",
    "no_before_events": "sessions whose calls have no start",
    "silent_machine": "machines without an event for a day",
    "version_skew": "machines with an older hookstream",
    "missing_machine": "expected machines without an event",
    "unexpected_machine": "machines that are not expected",
    "unpaired_before": "calls without a known end",
    "missing_events": "events missing in the sequence of sessions",
    "unknown_events": "events of an unknown kind",
    "guard_failures": "failures of policy hooks",
    "witnesses_disagree": "calls on which sources disagree",
    "sessions_without_hooks": "sessions that no hook reported",
    "missing_witness": "sessions that one source did not report",
    "hooks_not_run": "sessions at whose calls the client ran no hook",
    "calls_without_hooks": "calls that the hooks did not record",
    "hooks_silenced": "events that no hook saw",
}
# Of the gaps that are findings: what happened, and what to look at next.
GAP_SENTENCES = {
    "no_before_events": "Calls ended that no hook saw begin. Look at whether the hooks before a"
    " call are registered, and whether they ran.",
    "missing_witness": "A session file or telemetry shows sessions that no hook reported, or the"
    " other way round. Look at when the hooks were installed on this machine.",
    "missing_events": "The numbers of a session's events have holes: events were lost. Look at what"
    " the hooks and the collector rejected.",
    "witnesses_disagree": "Hooks, session file and telemetry say different things of one call. Look"
    " at the call: what each of them reports.",
}
# Of columns that only pages have.
COLUMNS = {
    "machines": "On how many machines it was seen; they are behind the number.",
    "is_new": "Seen on no machine before the last week of the lake, nor on its first day.",
    "cost_usd": "List price in US dollars.",
    "what": "The command, file or address it is about.",
    "waited_ms": "Milliseconds until an answer.",
    "elapsed_ms": "Milliseconds from the first attempt to the last.",
    "executed_afterwards": "Whether the same action ran later in the session.",
    "held": "What became of a guard's verdict: held, ignored, put to nobody, or its input ran.",
    "certainty": "observed: an event says so; inferred: nothing followed the action.",
    "answers": "Answers of the model.",
    "counted": "Where the tokens were counted.",
    "ended_how": "What ended the session, as the client says.",
}
# By page: what would fill it.
EMPTY = {
    "denies": "A row is a call, prompt, answer or anything else that was refused.",
    "bypasses": "A row is a refused target that a later call of the session reached.",
    "loops": "A row is an action tried again three times or more in one turn.",
    "secrets": "A row is a secret that was found, and removed, in a prompt, command or result.",
    "destinations": "A row is a host in a command or URL.",
    "mcp": "A row is an MCP server that a call or a connection named.",
    "packages": "A row is a package in an install command, such as npm install or pip install.",
    "usage": "Tokens come from session files and telemetry, and from hooks of a few clients.",
    "compactions": "A row is a compaction of a context.",
    "failed_open": "A row is a call that ran although its policy hook had failed.",
    "q/waiting": "A row is a session whose last question nobody has answered.",
    "q/mods": "A row is a plugin or mod that a client said it had loaded.",
    "q/unmapped": "A row is a field that a client sent and no table maps.",
}
# Headings of columns that have another word than their name.
LABELS = {
    "timestamp": "time", "first_at": "time", "executed_afterwards": "ran anyway",
    "decision_reason": "reason",
    "tool": "client", "action_native": "native action", "action_name": "action",
    "is_new": "new", "aarts_level": "AARTS level shown",
    "error_message": "message", "cost_usd": "cost ($)", "matched_rule_id": "rule",
}  # fmt: skip
STEPS = {
    60: "minute", 300: "5 minutes", 900: "15 minutes", 3600: "hour", 3 * 3600: "3 hours",
    6 * 3600: "6 hours", 86400: "day", 7 * 86400: "7 days",
}  # fmt: skip


def sentences(parts: list[str]) -> str:
    """Parts of a sentence as one, with its end."""
    text = "; ".join(parts)
    return text if text.endswith(("?", "...")) else f"{text}."


def label(column: str) -> str:
    """The heading of a column: its name for people."""
    short = column.removesuffix("_id").removesuffix("_at").removesuffix("_ms")
    return LABELS.get(column) or short.replace("_", " ")


def meaning(column: str) -> str:
    """The meaning of a column, in a line; empty for an unknown one."""
    return COLUMNS.get(column) or MEANINGS.get(column, "")


def step_words(seconds: int) -> str:
    """The span of a bar of the chart: hour, 3 hours."""
    return STEPS.get(seconds, f"{seconds // 86400} days")
