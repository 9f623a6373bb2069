-- Sessions of sub-agents with the session at the top: a sub-agent's own sub-agents belong there too.
with recursive above as (
    select machine, tool, session_id, parent as root, 1 as steps, is_alias
    from base.kin where not is_separate
    union all
    select a.machine, a.tool, a.session_id, k.parent, a.steps + 1, a.is_alias
    from above as a
    join base.kin as k on a.machine = k.machine and a.tool = k.tool and a.root = k.session_id
        and not k.is_separate
    -- Names that clients choose may form a cycle.
    where k.parent <> a.session_id and a.steps < 32
)
select machine, tool, session_id, arg_max(root, steps) as root, bool_or(is_alias) as is_alias
from above group by machine, tool, session_id
