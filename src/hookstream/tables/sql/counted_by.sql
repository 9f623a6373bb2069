-- Whose tokens count in such a session: one witness's, since each tells of the same responses.
select machine, tool, session_id, min(believed) as believed
from whole.told
where event_type in ('Model.Responded', 'Agent.Response')
    and (input_tokens is not null or output_tokens is not null)
group by machine, tool, session_id
