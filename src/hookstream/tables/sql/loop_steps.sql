-- Events of sessions with such calls, in order: they began and ended, prompts came, the session was
-- over.
select
    machine, tool, session_id, first_place as place, 'begin' as what, n, agent, turn,
    action_fingerprint, null as outcome, null as output_hash
from base.loop_attempts
union all
select
    machine, tool, session_id, end_place, 'end', n, agent, turn, action_fingerprint, outcome,
    output_hash
from base.loop_attempts
where end_place is not null
union all
select
    machine, tool, session_id, place,
    case event_type when 'Prompt.Submitted' then 'prompt' else 'over' end, -1, '', '', '', null, null
from base.stream
semi join base.loop_attempts using (machine, tool, session_id)
where event_type in ('Prompt.Submitted', 'Session.End', 'Session.Abort')
