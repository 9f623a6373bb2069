-- Who is stuck: the same action failing, denied or changing nothing, again and again in one turn.
-- time: first_at
-- shows: tool session_id action_name command kind attempts failures first_at elapsed_ms tokens aborted
-- From three failed or denied attempts (kind failing or denied), or eight that succeed with the
-- same output (unchanged). aborted: still open when the session ended or was cut off. tokens: what
-- the session's models took from the first attempt to the last, where the client says so.
select
    tool, session_id, agent_id, action_name, fingerprint, kind, attempts, failures, first_at,
    last_at, elapsed_ms, aborted, turn_id, command, tokens, machine_id, user_id
from derived.loops
order by first_at desc, tool, session_id, fingerprint, last_at
