-- Which secrets went through an agent: the rule that found one, where it stood, first and last time.
-- shows: rule fingerprint where count machines users first_seen last_seen state
-- One row a secret and session. fingerprint is a keyed digest: the same secret has the same one
-- everywhere, and cannot be guessed from it; the value itself is nowhere in the stream. sessions,
-- machines and users count all that had it. state: open, or quiet for 30 days of the stream.
with
newest as (select max(over_at) as at from base.known),
seen as (
    select
        rule, fingerprint, machine_id, max(user_id) as user_id, tool, session_id,
        array_to_string(
            list_sort(list(distinct tool || ' ' || event_type || ' ' || path)), ', '
        ) as "where",
        min("timestamp") as first_seen, max("timestamp") as last_seen,
        count(*) filter (heard("timestamp", session_id)) as "count",
        count(distinct event_id) filter (heard("timestamp", session_id)) as events,
        bool_or(is_before("timestamp", session_id)) as known_before,
        arg_min(command, ("timestamp", event_id)) as example
    from derived.secrets
    group by rule, fingerprint, machine_id, tool, session_id
),
spread as (
    select
        rule, fingerprint, count(distinct session_id) as sessions,
        count(distinct user_id) as users, count(distinct machine_id) as machines,
        bool_or(known_before) as known_before, max(last_seen) as last_anywhere
    from seen
    group by rule, fingerprint
)
select
    s.rule, s.fingerprint, s."where", s.first_seen, s.last_seen, s."count", s.events, a.sessions,
    a.users, a.machines,
    case when a.last_anywhere < n.at - interval 30 day then 'quiet' else 'open' end as state,
    s.machine_id, s.user_id, s.tool, s.session_id, s.example,
    not a.known_before as is_new
from seen as s
join spread as a on s.rule = a.rule and s.fingerprint is not distinct from a.fingerprint
cross join newest as n
where s."count" > 0
order by s.first_seen desc, s.rule, s.fingerprint, s.tool, s.session_id, s.machine_id
