-- Modes and options of each session that switch guards off.
with
modes as (
    select
        tool, session_id, 'mode' as kind, permission_mode as word,
        "timestamp", event_type, risk_score, user_id, machine_id, machine, cwd, null as command
    from base.stream
    where lower(permission_mode) in (
        'bypass', 'bypasspermissions', 'yolo', 'dontask', 'danger-full-access', 'autoapprove',
        'auto-approve', 'full-auto', 'never', 'unrestricted', 'acceptedits', 'auto_edit',
        'auto-edit', 'autoedit', 'auto', 'allow-all'
    )
),
flags as (
    select
        tool, session_id, 'flag' as kind,
        unnest(list_distinct(regexp_extract_all(
            command,
            '--no-verify\b|--dangerously[\w-]*|--yolo\b|--allow-all-(?:tools|paths)\b|--full-auto\b|dangerouslyDisableSandbox|--permission-mode[= ]bypassPermissions|--approval-mode[= ]yolo|--no-sandbox\b'
        ))) as word,
        "timestamp", event_type, risk_score, user_id, machine_id, machine, cwd, command
    from base.stream
    where event_type = 'Action.Before'
        and (contains(command, '--') or contains(command, 'dangerouslyDisableSandbox'))
)
select
    machine, machine_id, max(user_id) as user_id, tool, session_id, kind, word,
    min("timestamp") as first_seen, max("timestamp") as last_seen,
    count(*) filter (event_type = 'Action.Before') as actions, count(*) as events,
    max(risk_score) as max_risk, arg_min(cwd, ("timestamp", cwd)) as cwd,
    arg_min(command, ("timestamp", command)) as example
from (from modes union all by name from flags)
group by machine, machine_id, tool, session_id, kind, word
