-- Who is stuck: the same action failing, denied or changing nothing, again and again in one turn.
-- time: first_at
-- shows: tool session_id action_name command kind attempts failures first_at elapsed_ms aborted
-- From three failed or denied attempts (kind failing or denied), or eight that succeed with the
-- same output (unchanged). aborted: still open when the session ended or was cut off.
select
    tool, session_id, agent_id, action_name, fingerprint, kind, attempts, failures, first_at,
    last_at, elapsed_ms, aborted, turn_id, command
from looped
order by first_at, tool, session_id, fingerprint, first_place
