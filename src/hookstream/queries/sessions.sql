-- One row a session: when, how it ended, prompts, actions, failures, denies, tokens, highest risk.
-- time: started_at
-- shows: started_at tool project session_id prompts actions denies failures max_risk duration_ms input_tokens output_tokens compactions ended_how
-- is_cut: the first events of the session are not there (retention or a filter removed them).
-- attended: whether a person is at the client, by its own marks; null where none is known or they disagree.
-- ended_at is null for a session that is still open or never said it ended.
select
    tool, session_id, parent_session_id, started_at, ended_at, duration_ms, ended_how, prompts,
    actions, failures, denies, compactions, input_tokens, output_tokens, max_risk, last_at, events,
    model_id, permission_mode, cwd, repo, tool_version, user_id, machine_id, witnesses, is_cut,
    assurance, assurance_reasons, attended, project
from derived.sessions
where not is_stray
order by started_at desc, tool, session_id
