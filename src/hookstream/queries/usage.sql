-- Tokens by day, client, model, user and repository, wherever a client says them; and where none says any.
-- Responses of a model; where a session has none that say it, what its sub-agents took (on the end
-- of their call or of themselves).
-- counted: responses, sub-agents, or none for sessions in which no event says what was taken.
select
    day as "date", tool, model_id, count(*) as sessions, cast(sum(answers) as bigint) as answers,
    cast(sum(input_tokens) as bigint) as input_tokens,
    cast(sum(output_tokens) as bigint) as output_tokens,
    cast(sum(cache_read_tokens) as bigint) as cache_read_tokens,
    count(distinct user_id) as users, min(first_seen) as first_seen, max(last_seen) as last_seen,
    counted, repo, machine_id, user_id
from spanned.usage
group by day, tool, model_id, counted, repo, machine_id, user_id
order by "date" desc, tool, model_id, counted, repo, machine_id, user_id
