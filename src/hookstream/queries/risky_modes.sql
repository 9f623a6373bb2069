-- Who switched the guards off: sessions in a mode that never asks, and commands that bypass checks.
-- shows: first_seen tool session_id mode unguarded actions max_risk example
-- kind mode: the permission mode of the session's events; kind flag: an option of a command line.
select
    tool, session_id, kind, word as mode,
    case
        when kind = 'mode' and lower(word) in (
            'acceptedits', 'auto_edit', 'auto-edit', 'autoedit', 'auto'
        ) then 'edits or judged actions'
        when kind = 'mode' then 'everything'
        else 'this command'
    end as unguarded,
    first_seen, last_seen, actions, events, max_risk, user_id, machine_id, cwd, example
from spanned.risky_modes
order by first_seen desc, tool, session_id, kind, word, machine_id
