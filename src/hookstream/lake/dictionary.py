"""Data dictionary: a one-line description of each column, for SQL comments, docs and completion.

python -m hookstream.lake.dictionary > docs/data-dictionary.md
"""

from __future__ import annotations

from hookstream.core.event import FACTS
from hookstream.lake.columns import COLUMNS

_TEXT = """
event_id: The event's id, a UUID that follows from its content: the same payload gives the same id.
event_type: One of Agent Hooks' 23 types, or vendor.TOOL.NAME for an event they have no word for.
timestamp: When it happened, UTC: the payload's own time, else its receipt (then in synthesized).
received_at: When the payload was received, UTC.
tool: The client, by the name that `hookstream vendors` gives it.
tool_version: The client's version.
machine_id: The machine, as a pseudonym under this installation's key.
user_id: The person, as a pseudonym under this installation's key.
session_id: The client's id of the session; a session is (machine, tool, session_id).
parent_session_id: The session that started this one, as of a sub-agent.
session_alias: Another id of the same session.
child_session_id: The session that this event starts.
agent_id: The agent or sub-agent within the session; null is the main one.
parent_agent_id: The agent that started this one.
agent_type: The kind of sub-agent, in the client's words.
turn_id: The turn: from a prompt to its answer.
call_id: The id of the call of a tool, which its events share.
parent_call_id: The call within which this one was made.
message_id: The client's id of the message.
wrapped_id: The id of a message that another one carries (MCP, A2A).
rewritten: What a decision put in the place of a text.
reasoning: Why the agent takes a step, in its own words.
sequence: The position within machine, client and session as captured; of a record with its own time the position within that time. The order within one moment.
actor_type: Who acts: user, ai_agent or system.
actor_id: The id that the emitter gives the actor; a person's is a pseudonym.
actor_name: The name that the emitter gives the actor; a person's is a pseudonym.
user_name: The name that the emitter gives the person, as a pseudonym.
agent_mode: The mode of the agent: agent, ask, plan ...
permission_mode: How the client asks for permission, in its own word: default, plan, bypassPermissions ...
cwd: The working directory.
repo: The repository, where the payload names one.
claimed_machine_id: Another machine that a line of a fleet names than the one whose credential sent it.
transcript_path: Where the client keeps the session file.
dialect: The spelling of the payload, where a client has several.
native_event: The client's own name of the event.
hook_point: The AARTS hook point, or null.
action_name: The action in Agent Hooks' words: shell, read_file, write_file, web_search, mcp:TOOL ...
action_category: The tool's category in AARTS' taxonomy: shell, file_read, file_edit, web_request, mcp_call ...
action_native: The client's own name of the tool.
action_fingerprint: A digest of the action and its canonical input: equal for the same action, in every privacy mode.
command: The command line that ran or, of a call that did not run, was asked for; without secrets.
requested_command: The command line that the model asked for, where another one ran.
file_path: The file an action is about.
url: The address an action is about.
query: What a search looks for.
mcp_server: The MCP server a call goes to.
success: Whether the action succeeded, where the payload says so.
exit_code: The exit code of a command.
error_message: What went wrong, while short and on one line.
duration_ms: How long the action took, in milliseconds.
outcome: How the action ended: ok, error, denied, cancelled, timeout, or answered (the model got a result and the tool did not run); null where nothing says.
output_hash: A digest of what the action returned.
output_length: The length of what the action returned, in characters.
told_output: What the model got in the place of the output.
told_output_hash: A digest of what the model got, where that is not what the tool returned.
told_output_length: The number of characters that the model got in its place.
about: The event that a decision is about.
input_hash: A digest of the input or text that a decision is about, as hash mode writes it.
modified_input_hash: A digest of what the decision made of that input.
changed_paths: Which leaves of the input, or which text or memory, differ, separated by commas.
rewritten_hash: A digest of the text that a decision put in the place of a prompt, an answer or a memory.
rewritten_length: The length of that text, in characters.
reasoning_hash: A digest of the agent's own reason for a step.
reasoning_length: The length of that reason, in characters.
task_id: The task given to another agent (A2A).
task_state: The state of that task: submitted, working, completed, failed, canceled ...
organization: The organization of the user or the agent, where a payload names one.
decision_point: The AARTS hook point at which a decision was made, that of what it is about; null where nothing says.
subject: What a decision is about: action, prompt, response, result, memory, retrieval, sub-agent, compaction, trigger, connection or other.
enforced: false for a refusal that nothing carried out, such as the verdict of an audit; null in events where nothing says so.
guardian: Which guardian decided: its id, the command of a wrapped hook, or the name of a mod.
guardian_scope: Whose installation the guardian belongs to: managed, user, project, marketplace or builtin.
decision: allow, deny or ask; null where nothing shows a decision.
modified: Whether the decision changed the action's input.
decision_reason: Why, in the decider's words.
decided_by: Who decided: user, hook, mod, rule, mode, policy ...
decision_evidence: What shows the decision.
certainty: observed where a payload shows it, inferred where only an absence does.
category: The category of an AARTS verdict.
severity: low, medium, high or critical.
matched_rule_id: The rule that decided, as the client says it: its text, or its name.
policy_id: The policy that decided, or the settings that hold the rule, such as userSettings or project.
policy_version: The version of that policy.
policy_engine: The engine that decided: the command of a hook, the name of a plug-in or of a product.
failure: How a guard failed: timeout, crash, garbage ...; never an allow.
resolution: How a question was resolved.
prompt_hash: A digest of the prompt.
prompt_length: The length of the prompt, in characters.
is_followup: Whether the prompt follows another of the session.
input_source: Where the prompt came from.
response_hash: A digest of the answer.
response_length: The length of the answer, in characters.
final: Whether the answer ends its turn.
plan_type: plan, explore or default, of a sub-agent.
step_count: The number of steps of a plan.
task_hash: A digest of the delegated task.
task_length: The length of the delegated task, in characters.
model_id: The model.
input_tokens: Input tokens by the client's own count; add up within a client, not across.
output_tokens: Output tokens by the client's own count.
cache_read_tokens: Tokens read from the cache.
cache_write_tokens: Tokens written to the cache.
cache_write_1h_tokens: Of these, tokens written for an hour.
speed: Speed at which the model was asked to answer (fast).
inference_geo: Where the provider says that the model ran, if it was told where (us).
cost_usd: The cost in US dollars: the client's own figure, or in `usage` else by a list price.
cost_from: Source of the cost: client, list price (an estimate, of a list or of your prices), or client and list price.
latency_ms: How long the model took, in milliseconds.
retry_count: How often the model was asked again.
stop_reason: Why the model stopped.
request_hash: A digest of the request to the model.
request_length: The length of the request to the model, in characters.
context_trigger: What caused a compaction: auto, manual or system.
context_phase: before or after a compaction, or restarted.
tokens_used: Tokens in the context.
tokens_limit: The size of the context window, in tokens.
percentage_used: How full the context is, in percent.
tokens_remaining: Tokens left in the context.
tokens_before: Tokens before a compaction.
tokens_after: Tokens after a compaction.
tokens_removed: Tokens that a compaction removed.
message_count: Messages in the context.
strategy: How the context was compacted.
summary_hash: A digest of the summary that a compaction left.
summary_length: The length of that summary, in characters.
retry_iteration: The number of the attempt.
retry_kind: failing, denied or unchanged.
elapsed_ms: Milliseconds since the first attempt.
tokens_consumed: Tokens that a loop used.
notification_type: ToolPermission, IdleTimeout or ErrorAlert.
message: The text of a notification, while short and on one line.
error_type: ToolFailed, ModelError, HookError or UnhandledException.
error_code: The code of the error.
origin_event: The type of the event that the error belongs to.
server_id: The MCP server that is connected.
transport: How the server is reached.
server_command: The command that starts the server.
memory_store: The memory that is read or written.
memory_hash: A digest of what was written to memory.
memory_length: Its length, in characters.
load_context: In which context a plugin or skill is loaded.
start_reason: Why the session began: new, resume or restart.
end_reason: How the session ended.
abort_reason: Why the session was cut off.
total_tokens: Tokens of the whole session.
total_actions: Actions of the whole session; in synthesized where the stream counted them.
total_verdicts: Decisions of the whole session.
total_denials: Refusals of the whole session.
attached_files: The files attached to a prompt.
reported_by: What reported the action: its own event, a batch, a telemetry record ...
same_as: What else names the same action.
duplicate_of: The earlier event that reports the same; questions count the two once.
derived: Whether the event follows from others.
risk_score: 0 to 100; docs/risk.md.
risk_level: low, medium, high or critical.
risk_factors: Why: DESTRUCTIVE_OP, REMOTE_CODE, EXFILTRATION ...
artifacts: What the event names: type, value and place in the event.
redactions: How many secrets were removed.
secrets: Which: rule, path and a keyed fingerprint of the value.
unmapped: Paths of the payload that no table knows.
synthesized: Facts that a rule concluded.
agent_hooks: The event as Agent Hooks JSON.
aarts: The AARTS wrapper as JSON, or null.
vendor: The client's key; for other agents their own name.
witness: What the record comes from: hook, wrap, mod, transcript, telemetry or callback.
capture_scope: Whose settings registered the hook that wrote it: managed, user, project; absent where no installed hook did.
attended: Whether a person attends the session, by the client's own marks; null where none is known or they disagree.
hook_event: The client's event that hooks are registered for, ran for, or did not see.
hookstream_version: The version of hookstream that wrote it.
shares_id_with: Another event with the same id and other content.
aarts_level: The AARTS level, 0 to 3, of which every hook point, tool category and decision arrived: what was seen, no claim.
aarts_level_of_hook_points: The same, of hook points alone.
missing_for_next_level: What did not arrive of the next AARTS level.
event_types: The standard event types that arrived.
event_types_silent: Those that the client's hooks are documented to give, and that never arrived.
hook_points: The AARTS hook points that arrived.
hook_points_silent: Those that the client's hooks are documented to give, and that never arrived.
tool_categories: The AARTS tool categories of the actions that arrived.
decisions: Which decisions arrived: allow, deny, ask.
ask_resolved: Whether the answer to a question arrived.
provenance: Whether an action named the sub-agent or the session it came from.
aos_hooks_silent: The hooks of AOS, of 15, that never arrived; null where none did.
mod: The mod or plugin; null where nothing names the one that did it.
scope: Whose installation it is: managed, user, project, marketplace or builtin.
managed: Whether the organization installed it; null where nothing says whose it is.
loaded: Sessions in which the client reported it as loaded.
answered: Calls that it answered in the place of the tool.
rewritten: Calls of which it made other ones.
replaced: Results that it replaced before the model saw them.
silenced: Events of hooks that it answered, so that no hook saw them.
prevented: Events of hooks that it would have answered, had a managed guard not passed it by.
prisma_hooks_silent: The hooks of the Prisma AIRS plugin that never arrived; null where none did.
evidence: Ids of the events that the row rests on.
witnesses: All witnesses of the row: hook, wrap, mod, transcript, telemetry, callback.
is_cut: Whether the session's first events are missing (retention or a filter removed them).
what: What the row is about: the command, the file, the address, else the tool in the client's words.
executed_afterwards: Whether the same action ran later in the session although it was denied.
first_at: Time of its first event, UTC.
last_at: Time of its last event, UTC.
command_words: The command with quoted texts, heredoc bodies and comments blanked.
first_seen: When it was first seen, UTC.
last_seen: When it was last seen, UTC.
calls: Number of calls.
sessions: Number of sessions.
users: Number of users.
machines: Number of machines.
ran: Number of calls that ran.
denied: Number of calls that were denied.
count: Number of occurrences.
started_at: When it began, UTC.
ended_at: When it ended, UTC; null while open.
host: The host that a URL or command line names.
package: The package as the command names it, with version or tag.
server: The MCP server.
rule: The rule: of redaction for a secret, of a client's permissions for a call.
fingerprint: A keyed digest: equal for equal values.
packages.name: The package's name without version or tag.
packages.version: The package's version or tag, where the command names one.
manager: The package manager: pip, npm, cargo, apt ...
ecosystem: The package's ecosystem: pypi, npm, cargo, deb ...
via: How the host is named: url (a web tool), command (a URL of a command line), ssh or socket.
internal: Whether the address is loopback, private or link-local.
is_new: Whether it was first seen in the time asked for (--since), in the whole lake.
example: One command or value as an example.
sensitive_files.path: The path that an action names.
unmapped.path: The field's path in the payload.
where: Where in the stream: client, event type and place.
state: open, or quiet if not seen for 30 days of the stream.
retry_loops.kind: failing, denied, or unchanged (the same output again).
inventory.kind: client, model, mcp server, plugin, skill or instructions, tool, policy, policy hook, or capture (hookstream itself).
inventory.name: The name of what is in use.
inventory.version: The version of a client, policy or hookstream.
risky_modes.kind: mode (the session's permission mode) or flag (an option of a command line).
events: Number of events.
duplicates: Number of second reports of an event, included in events.
attempts: Number of attempts.
failures: Number of calls that failed or timed out.
aborted: Whether the loop was open when the session ended or was cut off.
tokens: Tokens of the session's models from the first attempt to the last, where the client reports them.
prompts: Number of prompts.
actions: Number of actions.
denies: Number of refusals.
agents: Number of sub-agents.
compactions: Number of compactions.
model_failures: Number of requests to a model that failed.
max_risk: Highest risk score, 0 to 100.
ended_how: How the session ended; null while it is open.
assurance: How the session was captured: managed_hooks, user_hooks, project_hooks, hooks, callbacks, files, telemetry.
assurance_reasons: What is missing in the session's record, from the session alone.
reasons: What is missing in the session's record or contradicts it; docs/fleet.md lists the words.
capture_scopes: Whose settings registered the hooks: managed, user, project.
missing_events: Number of places in the sequence without an event.
calls_without_hooks: Calls that files or telemetry know and the session's hooks do not.
after_at: When the action ended, UTC.
ok: Number of calls that succeeded.
cancelled: Number of calls that were cancelled.
unknown: Number of calls whose end is unknown.
median_ms: Median duration, in milliseconds.
max_ms: Longest duration, in milliseconds.
waited_ms: Time until the answer, in milliseconds.
permissions.waited_ms: Median time until the answer, in milliseconds.
date: UTC date.
answers: Number of answers of the model.
project: The repository as owner/name, else the last part of the session's first folder.
trust: How far the cost can be trusted: exact (each answer as its client counted it), approximate, partial (some is known to be missing) or unknown (no price).
why: The reason of the trust, in words.
counted: Where the tokens come from: responses, sub-agents, side calls, session totals, or none if no event reports any.
mode: The permission mode, or the option of the command line.
unguarded: What runs without a question: everything, edits or judged actions, or this command.
finding: What the row shows: always_approved, always_refused, rule_matched, ran_unasked, rule_never_matched ...
bypasses.target: What links the two actions: a file, URL, host, effect or script.
permissions.target: The program and subcommand, MCP server or tool.
asked: Number of calls that a user was asked about.
approved: Number of calls that a user approved.
refused: Number of calls that were refused.
permissions.answer: The decision of a rule that no call met.
permissions.file: The settings file of a rule that no call met.
link: target (same file, URL or host), effect (another command with the same effect) or script.
denied_action: The denied action's name.
denied_native: The denied action's tool, in the client's words.
denied_command: The denied command.
denied_at: When it was denied, UTC.
denied_event_id: The event of the denial.
trigger: What caused the compaction: auto, manual or system.
completed: Whether the compaction was completed; null while nothing shows it.
end: How it is known: completed, not_completed, unconfirmed or open.
denies_before: Number of denied actions of the session until then.
samples: Number of reports of how full the context was.
max_percentage: Highest share of the context window in use, in percent.
last_percentage: Last reported share of the context window in use, in percent.
max_tokens_used: Most tokens in the context.
first_over_80: When it first passed 80 %, UTC.
gap: The kind of gap: silent_machine, sessions_without_hooks, capture_failures ...
detail: The gap in words.
vendors: The vendor keys of the records.
tools: Names of the server's tools that were called.
step: The number of the step in its session.
replay.what: What the step is about: a command, file or URL.
timeline.what: What the event is about: a command, file, URL, query or message.
merged_decision: The decision that all answers of the step come to.
merged_modified: Whether the answers changed the input.
replay.ran: What then ran: original, modified, other, nothing or unknown.
ran_certainty: observed where the result shows its input, otherwise inferred from the answers.
ran_input_hash: A digest of the input that ran.
since: When the session asked first, without an event since, UTC.
waiting.what: The call that the session waits for: a command, file, URL or tool.
heard_at: The newest event of that machine, UTC.
held: What became of a guard's verdict: held, ignored, asked_nobody, changed (its input ran) or unknown.
held_evidence: What shows it: a refusal, an answer, the input that ran or the call's result.
held_certainty: observed where another witness shows it, inferred where only the guard's own verdict does.
decisions.outcome: How the call ended that a guard's verdict is about.
ran_changed_paths: Which leaves of the input that ran differ from the original.
"""
MEANINGS: dict[str, str] = {
    name: meaning
    for name, _, meaning in (line.partition(": ") for line in _TEXT.strip().splitlines())
}


def meaning(question: str, column: str) -> str:
    """The meaning of a question's column, empty if none is known."""
    return MEANINGS.get(f"{question}.{column}") or MEANINGS.get(column, "")


def page() -> str:
    """docs/data-dictionary.md: every column of `events`, its type, class and meaning."""
    lines = [
        "# Data dictionary",
        "",
        "Made from `FACTS`, `COLUMNS` and `src/hookstream/lake/dictionary.py` by `python -m hookstream.lake.dictionary`; a test holds them",
        "together. The class says what the privacy stage does with a fact (docs/facts.md). `hookstream export` writes the",
        "meanings as column comments.",
        "",
        "| column | type | class | meaning |",
        "|---|---|---|---|",
    ]
    for name, kind in COLUMNS.items():
        of = FACTS[name][0] if name in FACTS else ""
        lines.append(f"| {name} | {kind} | {of} | {MEANINGS.get(name, '')} |")
    questions = [name for name in MEANINGS if name not in COLUMNS and name not in FACTS]
    lines += ["", "Columns that only questions and derived tables have (`QUESTION.COLUMN`: in that"]
    lines += ["question alone):", "", "| column | meaning |", "|---|---|"]
    lines += [f"| {name} | {MEANINGS[name]} |" for name in questions]
    facts = [name for name in FACTS if name not in COLUMNS]
    lines += ["", "Facts without a column (in the JSON of the event):", ""]
    lines += [
        f"- `{name}` ({FACTS[name][0]}): {MEANINGS.get(name, 'content, kept only where asked for')}"
        for name in facts
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
