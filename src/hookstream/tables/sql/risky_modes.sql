-- Modes and options of each session that switch guards off.
with
modes as (
    select
        s.tool, s.session_id, 'mode' as kind, s.permission_mode as word, m.unasked as unguarded,
        s."timestamp", s.event_type, s.risk_score, s.user_id, s.machine_id, s.machine, s.cwd,
        null as command
    from base.stream as s join base.modes as m
        on m.word = regexp_replace(lower(s.permission_mode), '[-_ ]', '', 'g')
        and m.tool = case when s.tool in (select tool from base.modes) then s.tool else '' end
),
flags as (
    select
        tool, session_id, 'flag' as kind,
        unnest(list_distinct(regexp_extract_all(
            command,
            '--no-verify\b|--dangerously[\w-]*|--yolo\b|--allow-all-(?:tools|paths)\b|--full-auto\b|dangerouslyDisableSandbox|--permission-mode[= ]bypassPermissions|--approval-mode[= ]yolo|--no-sandbox\b'
        ))) as word, 'this command' as unguarded,
        "timestamp", event_type, risk_score, user_id, machine_id, machine, cwd, command
    from base.stream
    where event_type = 'Action.Before'
        and (contains(command, '--') or contains(command, 'dangerouslyDisableSandbox'))
)
select
    machine, machine_id, max(user_id) as user_id, tool, session_id, kind, word, unguarded,
    min("timestamp") as first_seen, max("timestamp") as last_seen,
    count(*) filter (event_type = 'Action.Before') as actions, count(*) as events,
    max(risk_score) as max_risk, arg_min(cwd, ("timestamp", cwd)) as cwd,
    arg_min(command, ("timestamp", command)) as example
from (from modes union all by name from flags)
group by machine, machine_id, tool, session_id, kind, word, unguarded
