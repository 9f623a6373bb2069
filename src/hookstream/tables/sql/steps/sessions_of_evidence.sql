-- Sessions with open calls whose client shows more on their machine now, or less.
select machine, tool, session_id
from stored_sessions as s
where open_calls > 0 and exists (
    from changed_evidence as c
    where c.machine = s.machine and c.tool = s.tool and c.user_id is not distinct from s.user_id
)
