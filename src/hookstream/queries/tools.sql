-- Which tools the agents used: calls, outcomes, refusals and how long they took.
-- by: machine
-- keys: tool action_native
-- shows: tool action_native machines users calls ok failures denied cancelled unknown median_ms max_risk
-- outcome `unknown`: the client sent no after event, or one that says nothing of success.
select
    tool, action_native, min(action_name) as action_name,
    min(action_category) as action_category, max(mcp_server) as mcp_server,
    count(distinct machine_id) as machines, count(distinct user_id) as users,
    count(*) as calls,
    count(*) filter (outcome = 'ok') as ok,
    count(*) filter (outcome in ('error', 'timeout')) as failures,
    count(*) filter (outcome = 'denied') as denied,
    count(*) filter (outcome = 'cancelled') as cancelled,
    count(*) filter (outcome = 'unknown') as unknown,
    -- by digests: counting the ids costs as much as all the rest
    cast(list_unique(list(hash(machine, session_id))) as bigint) as sessions,
    round(median(duration_ms), 1) as median_ms, max(duration_ms) as max_ms,
    max(risk_score) as max_risk, min(first_at) as first_seen, max(last_at) as last_seen,
    by_machine(machine_id) as machine_id, by_machine(user_id) as user_id
from derived.calls
where (has_before or has_after or (denied and action_native is not null)) and heard(first_at, session_id)
group by all
order by first_seen desc, calls desc, tool, action_native, machine_id, user_id
