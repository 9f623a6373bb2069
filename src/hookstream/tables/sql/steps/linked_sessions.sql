-- Add to a table of sessions the parents and sub-agents of each.
insert into {sessions}
from (
    select machine, tool, parent as session_id from links
    semi join {sessions} using (machine, tool, session_id)
    union
    select l.machine, l.tool, l.session_id
    from links as l
    join {sessions} as s on l.machine = s.machine and l.tool = s.tool and l.parent = s.session_id
) as q
anti join {sessions} using (machine, tool, session_id)
