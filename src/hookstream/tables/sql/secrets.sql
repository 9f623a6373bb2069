-- One row per secret, its event and its place there: the rule that found it and its keyed digest.
select
    s.machine_id, coalesce(s.user_id, k.user_id) as user_id, s.tool, s.session_id, s.event_id,
    s.event_type, s."timestamp", s.secret['rule'] as rule,
    nullif(s.secret['fingerprint'], '') as fingerprint, s.secret['path'] as path, s.command,
    s.machine
from (
    select
        machine, machine_id, user_id, tool, session_id, event_id, event_type, "timestamp", command,
        unnest(secrets) as secret
    from base.stream
    where len(secrets) > 0
) as s
join base.known as k using (machine, tool, session_id)
