-- The witness whose tokens count in such a session: one, since each reports the same responses.
select machine, tool, session_id, min(believed) as believed
from whole.told
where event_type in ('Model.Responded', 'Agent.Response')
    and (input_tokens is not null or output_tokens is not null)
group by machine, tool, session_id
