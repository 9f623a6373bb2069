-- Tokens by day, client, model, user and repository, wherever a client says them; and where none says any.
-- Responses of a model; where a session has none that say it, what its sub-agents took (on the end
-- of their call or of themselves).
-- counted: responses, sub-agents, or none for sessions in which no event says what was taken.
with
said as (
    select
        *,
        case when event_type in ('Model.Responded', 'Agent.Response') then 'responses'
            else 'sub-agents' end as counted
    from stream
    where (input_tokens is not null or output_tokens is not null)
        and event_type in (
            'Model.Responded', 'Agent.Response', 'Agent.Plan.End', 'Action.After'
        )
),
-- The call of a sub-agent and its end may both say it.
once as (
    from said
    qualify counted = 'responses' or (
        not bool_or(counted = 'responses') over (partition by machine, tool, session_id)
        and (
            event_type = 'Action.After' or not bool_or(event_type = 'Action.After') over (
                partition by machine, tool, session_id, agent_id
            )
        )
    )
),
silent as (
    select machine_id, tool, session_id, min("timestamp") as first_at, max("timestamp") as last_at,
        max(user_id) as user_id, max(repo) as repo
    from stream
    group by machine_id, tool, session_id
    having not bool_or(input_tokens is not null or output_tokens is not null)
        and bool_or(event_type in ('Prompt.Submitted', 'Action.Before'))
)
select
    cast("timestamp" as date) as "date", tool, model_id,
    count(distinct session_id) as sessions, count(*) as answers,
    cast(sum(input_tokens) as bigint) as input_tokens,
    cast(sum(output_tokens) as bigint) as output_tokens,
    cast(sum(cache_read_tokens) as bigint) as cache_read_tokens,
    count(distinct user_id) as users,
    min("timestamp") as first_seen, max("timestamp") as last_seen,
    counted, repo, machine_id, user_id
from once
group by cast("timestamp" as date), tool, model_id, counted, repo, machine_id, user_id
union all
select
    cast(first_at as date), tool, null, count(*), 0, null, null, null, count(distinct user_id),
    min(first_at), max(last_at), 'none', repo, machine_id, user_id
from silent
group by cast(first_at as date), tool, repo, machine_id, user_id
order by "date", tool, model_id, counted, repo, machine_id, user_id
