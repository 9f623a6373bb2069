-- Tokens by day, client and model, as far as the clients say.
select
    cast("timestamp" as date) as "date", tool, model_id,
    count(distinct session_id) as sessions, count(*) as answers,
    sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
    sum(cache_read_tokens) as cache_read_tokens,
    count(distinct user_id) as users,
    min("timestamp") as first_seen, max("timestamp") as last_seen
from stream
where event_type in ('Model.Responded', 'Agent.Response')
    and (input_tokens is not null or output_tokens is not null)
group by all
order by "date", tool, model_id
