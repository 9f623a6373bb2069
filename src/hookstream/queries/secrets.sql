-- Which secrets went through an agent: the rule that found one, where it stood, first and last time.
-- fingerprint is a keyed digest: the same secret has the same one everywhere, and cannot be guessed
-- from it. The value itself is nowhere in the stream.
with found as (
    select tool, session_id, "timestamp", event_id, event_type, user_id, unnest(secrets) as secret
    from stream
)
select
    secret['rule'] as rule, nullif(secret['fingerprint'], '') as fingerprint,
    array_to_string(
        list_sort(list(distinct tool || ' ' || event_type || ' ' || secret['path'])), ', '
    ) as "where",
    min("timestamp") as first_seen, max("timestamp") as last_seen, count(*) as "count",
    count(distinct event_id) as events, count(distinct session_id) as sessions,
    count(distinct user_id) as users
from found
group by secret['rule'], nullif(secret['fingerprint'], '')
order by first_seen, rule, fingerprint
