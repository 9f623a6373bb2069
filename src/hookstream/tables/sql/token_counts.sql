-- Tokens of each answer of a model, once; counted: in responses, or where a session has none in
-- sub-agents' results (of these in one place alone). A running total is a client's own sum over a
-- session's answers and what has no answer; it counts nowhere, but shows what is missing.
with
said as (
    select
        s.*,
        coalesce(k.totals_are_rests, false) and event_type = 'vendor.' || tool || '.UsageTotals'
            as is_total,
        case
            when is_total then 'running total'
            when event_type in ('Model.Responded', 'Agent.Response') then 'responses'
            else 'sub-agents'
        end as counted
    from base.keyed_stream as s left join base.capabilities as k using (tool)
    where (input_tokens is not null or output_tokens is not null)
        and (
            is_total
            or event_type in ('Model.Responded', 'Agent.Response', 'Agent.Plan.End', 'Action.After')
        )
),
once as (
    from said
    qualify counted <> 'sub-agents' or (
        not bool_or(counted = 'responses') over (partition by session)
        and (
            event_type = 'Action.After' or not bool_or(event_type = 'Action.After') over (
                partition by session, agent_id
            )
        )
    )
)
select
    machine, machine_id, user_id, tool, session_id, agent_id, repo, project, is_cut,
    -- A file may not name the model that another witness of its session names.
    coalesce(model_id, case when not is_total then only_model end) as model_id,
    counted,
    event_type = 'Model.Responded' as is_response,
    witness is not distinct from 'telemetry' as is_of_telemetry, "timestamp", place,
    input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
    case when cache_write_1h_tokens <= cache_write_tokens then cache_write_1h_tokens end
        as cache_write_1h_tokens, speed, inference_geo, nullif(cost_usd, 0) as cost_usd
from once
left join (select machine, tool, session_id, project, is_cut, only_model from base.sessions)
    using (machine, tool, session_id)
