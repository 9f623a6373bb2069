-- Who switched the guards off: sessions in a mode that asks nobody, and commands that bypass checks.
-- shows: first_seen tool session_id mode unguarded actions max_risk example
-- kind mode: the permission mode of the session's events; kind flag: an option of a command line.
with
modes as (
    select
        tool, session_id, 'mode' as kind, permission_mode as word,
        "timestamp", event_type, risk_score, user_id, machine_id, cwd, null as command
    from stream
    where regexp_matches(
        lower(permission_mode),
        '^(?:bypass|bypasspermissions|yolo|dontask|danger-full-access|autoapprove|auto-approve|full-auto|never|unrestricted|acceptedits|auto_edit|auto-edit|autoedit|auto)$'
    )
),
flags as (
    select
        tool, session_id, 'flag' as kind,
        unnest(list_distinct(regexp_extract_all(
            command,
            '--no-verify\b|--dangerously[\w-]*|--yolo\b|--allow-all-(?:tools|paths)\b|--full-auto\b|dangerouslyDisableSandbox|--permission-mode[= ]bypassPermissions|--approval-mode[= ]yolo|--no-sandbox\b'
        ))) as word,
        "timestamp", event_type, risk_score, user_id, machine_id, cwd, command
    from stream
    where event_type = 'Action.Before' and command is not null
)
select
    tool, session_id, kind, word as mode,
    case
        when kind = 'mode' and lower(word) in (
            'acceptedits', 'auto_edit', 'auto-edit', 'autoedit', 'auto'
        ) then 'edits or judged actions'
        when kind = 'mode' then 'everything'
        else 'this command'
    end as unguarded,
    min("timestamp") as first_seen, max("timestamp") as last_seen,
    count(*) filter (event_type = 'Action.Before') as actions, count(*) as events,
    max(risk_score) as max_risk, max(user_id) as user_id, machine_id,
    arg_min(cwd, "timestamp") as cwd, arg_min(command, "timestamp") as example
from (from modes union all by name from flags)
group by machine_id, tool, session_id, kind, word
order by first_seen, tool, session_id, kind, word, machine_id
