-- One row per call, host and way (url, command, ssh, socket): where data could go, as the one
-- reader of commands says. `said` is the text that names the host. Another event that
-- names an address, such as where an agent shall report to, is a row as well.
with
reached as (
    select command as said, unnest(hosts, recursive := true)
    from base.words
    where len(hosts) > 0
),
named_calls as (
    select c.*, r.host, r.via, r.said
    from base.calls as c
    join reached as r on c.command = r.said
    union all
    select c.*, u.host, 'url', u.url
    from base.calls as c
    join base.url_hosts as u using (url)
    union all by name
    select
        s.machine_id, coalesce(s.user_id, k.user_id) as user_id, s.tool, s.session_id, s.call_id,
        case when d.about is not null then 'denied' end as outcome, d.about is null as ran,
        s.risk_score, s."timestamp" as first_at, s."timestamp" as last_at, s.machine,
        cast(null as varchar) as call, '' as instance, u.host, 'url' as via, s.url as said
    from base.stream as s
    join base.known as k using (machine, tool, session_id)
    join base.url_hosts as u using (url)
    left join (
        select distinct machine, about from base.decided where decision = 'deny' and enforced
    ) as d on s.machine = d.machine and s.event_id = d.about
    where s.call_id is null and s.about is null and s.decision is null and s.hook_point is null
        and not ends_with(s.event_type, 'Result')
)
select
    machine_id, user_id, tool, session_id, call_id, host, via, said,
    regexp_matches(
        host,
        '^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?::1\]?$|\[?f[cde][0-9a-f]*:)|\.(?:local|internal|localhost|lan)$'
    ) as internal,
    outcome, ran, risk_score, first_at, last_at, machine, call, instance
from named_calls
