-- Every action: who asked for what, who decided, how it ended, what shows it.
-- time: first_at
-- shows: first_at tool action_name what outcome decided_by session_id decision certainty risk_score
-- One row an action. `evidence` are the ids of its events, `witnesses` what told of it. A `decision`
-- deny that is `inferred` rests on silence alone: its outcome stays unknown. `command_words` is the
-- command with quoted texts, heredocs and comments blanked. `command` is what ran, `requested_command` what
-- the model asked for where that is another one. `answered` is an outcome of a call that did not run although
-- the model got a result. `told_output_hash` is a digest of what the model got, where that is not what the
-- tool gave (`output_hash`). `guardian` is the mod, hook or policy that decided, where one is named, `held` what
-- became of its verdict (decisions), of several the one that was obeyed least. `modified`: the input that ran is
-- the one that a verdict made, null where no witness has it. Of an allow and an ask as of a refusal, where the client says it: `matched_rule_id` is
-- the text of the rule, `policy_id` the settings or policy that hold it, `policy_engine` the command of the hook or
-- the name of the plug-in that decided.
select
    machine_id, user_id, tool, session_id, call_id, agent_id, turn_id, action_name, action_native,
    command, file_path, url, outcome, exit_code, error_message, duration_ms, decision, decided_by,
    decision_reason, matched_rule_id, failure, certainty, evidence, witnesses, executed_afterwards,
    first_at, last_at, sequence, action_category, action_fingerprint, mcp_server, permission_mode,
    cwd, repo, tool_version, model_id, input_tokens, output_tokens, risk_score, risk_factors,
    secrets, command_words, modified, requested_command, guardian, guardian_scope, output_hash,
    told_output_hash, held, held_evidence, held_certainty, policy_id,
    coalesce(
        case when decided_by in ('hook', 'mod') then guardian end, policy_engine
    ) as policy_engine,
    coalesce(command, file_path, url, action_native) as what
from derived.calls
order by first_at desc, tool, session_id, sequence, call_id
