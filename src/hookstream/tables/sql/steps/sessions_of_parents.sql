-- Sessions with open calls whose parent is derived again.
select s.machine, s.tool, s.session_id
from stored_sessions as s
join changed_sessions as p
    on s.machine = p.machine and s.tool = p.tool and s.parent_session_id = p.session_id
where open_calls > 0
