-- Tokens and their cost by day, client, model, user and project; and sessions that report none.
-- Responses of a model; where a session has none that say it, what its sub-agents took (on the end
-- of their call or of themselves).
-- counted: responses, sub-agents, or none for sessions in which no event says what was taken; side
-- calls are what a client's running total has beyond its answers (titles, compactions), session totals
-- such a total where no answer says what it took.
-- cost_usd is the client's own figure where it reports one (cost_from: client), else computed from a
-- list price of the model (list price: an estimate); empty for a model without a price.
-- shows: date tool model_id cost_usd answers input_tokens output_tokens sessions cost_from counted
with
summed as (
    select
        day as "date", tool, model_id, count(*) as sessions, cast(sum(answers) as bigint) as answers,
        cast(sum(input_tokens) as bigint) as input_tokens,
        cast(sum(output_tokens) as bigint) as output_tokens,
        cast(sum(cache_read_tokens) as bigint) as cache_read_tokens,
        count(distinct user_id) as users, min(first_seen) as first_seen, max(last_seen) as last_seen,
        counted, project, repo, machine_id, user_id
    from spanned.usage
    group by day, tool, model_id, counted, project, repo, machine_id, user_id
)
select
    u."date", u.tool, u.model_id, u.sessions, u.answers, u.input_tokens, u.output_tokens,
    u.cache_read_tokens, round(c.cost_usd, 6) as cost_usd, c.cost_from, u.users, u.first_seen,
    u.last_seen, u.counted, u.project, u.repo, u.machine_id, u.user_id
from summed as u
left join usage_costs as c on u."date" = c."date" and u.tool = c.tool and u.counted = c.counted
    and u.model_id is not distinct from c.model_id and u.repo is not distinct from c.repo
    and u.project is not distinct from c.project
    and u.machine_id is not distinct from c.machine_id and u.user_id is not distinct from c.user_id
union all by name
select
    "date", tool, model_id, answers, input as input_tokens, output as output_tokens,
    cache_read as cache_read_tokens, round(cost_usd, 6) as cost_usd, cost_from, counted, project, repo,
    machine_id, user_id
from usage_costs
where counted in ('side calls', 'session totals')
order by "date" desc, tool, model_id, counted, project, repo, machine_id, user_id
