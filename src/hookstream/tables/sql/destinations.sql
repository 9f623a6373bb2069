-- One row per call, host and way (url, command, ssh, socket): where data could go, as the one
-- reader of commands says. `said` is the text that names the host.
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
)
select
    machine_id, user_id, tool, session_id, call_id, host, via, said,
    regexp_matches(
        host,
        '^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?::1\]?$|\[?f[cde][0-9a-f]*:)|\.(?:local|internal|localhost|lan)$'
    ) as internal,
    outcome, ran, risk_score, first_at, last_at, machine, call, instance
from named_calls
