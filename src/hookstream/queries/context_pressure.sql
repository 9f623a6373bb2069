-- How full the context windows get: per session and agent the highest share, and when it passed 80 %.
select
    tool, session_id, agent_id,
    count(*) filter (percentage is not null) as samples,
    max(percentage) as max_percentage, arg_max(percentage, place) as last_percentage,
    max(tokens_used) as max_tokens_used, max(tokens_limit) as tokens_limit,
    min("timestamp") filter (percentage >= 80) as first_over_80,
    min("timestamp") as first_seen, max("timestamp") as last_seen,
    max(user_id) as user_id, machine_id
from derived.context_samples
where within("timestamp")
group by machine_id, tool, session_id, agent_id
having samples > 0 or max_tokens_used is not null
order by max_percentage desc nulls last, tool, session_id, agent_id, machine_id
