-- The witness whose tokens count in such a session: one, since each reports the same responses. It
-- is the one that reports most: a file may lack what a compaction took, or an answer that was never
-- finished. Of equal ones the one believed most.
select machine, tool, session_id, arg_min(believed, (-tokens, believed)) as believed
from (
    select
        machine, tool, session_id, believed,
        sum(coalesce(input_tokens, 0) + coalesce(output_tokens, 0)) as tokens
    from whole.told
    where event_type in ('Model.Responded', 'Agent.Response')
        and (input_tokens is not null or output_tokens is not null)
    group by machine, tool, session_id, believed
)
group by machine, tool, session_id
