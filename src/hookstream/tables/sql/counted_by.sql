-- The witness whose tokens count in such a session: one, since each reports the same responses. It
-- is the one that reports most: a file may lack what a compaction took, or an answer that was never
-- finished; telemetry what was never sent. A file's running totals count with it: side calls and
-- sub-agents, of which the latter's responses may be there as well. Of equal ones the one with most in
-- responses, then the one believed most.
select machine, tool, session_id, arg_min(believed, (-tokens, -coalesce(of_responses, 0), believed)) as believed
from (
    select
        machine, tool, session_id, believed, sum(tokens) filter (not is_total) as of_responses,
        coalesce(sum(tokens) filter (not is_total and agent_id is null), 0) + greatest(
            coalesce(sum(tokens) filter (is_total), 0),
            coalesce(sum(tokens) filter (not is_total and agent_id is not null), 0)
        ) as tokens
    from (
        select
            machine, tool, session_id, believed, agent_id, at_, event_id,
            coalesce(totals_are_rests, false) and event_type = 'vendor.' || tool || '.UsageTotals'
                as is_total,
            coalesce(input_tokens, 0) + coalesce(output_tokens, 0) as tokens
        from base.told left join base.capabilities using (tool)
        where (is_total or event_type in ('Model.Responded', 'Agent.Response'))
            and (input_tokens is not null or output_tokens is not null)
        -- Of a model's running totals the last.
        qualify not is_total or row_number() over (
            partition by machine, tool, session_id, believed, is_total, model_id
            order by at_ desc, event_id
        ) = 1
    )
    group by machine, tool, session_id, believed
)
group by machine, tool, session_id
