-- Sessions of sub-agents with the session at the top: a sub-agent's own sub-agents belong there too.
with recursive above as (
    select machine, tool, session_id, parent as root, 1 as steps from whole.kin
    union all
    select a.machine, a.tool, a.session_id, k.parent, a.steps + 1
    from above as a
    join whole.kin as k on a.machine = k.machine and a.tool = k.tool and a.root = k.session_id
    -- Names that clients choose may form a cycle.
    where k.parent <> a.session_id and a.steps < 32
)
select machine, tool, session_id, arg_max(root, steps) as root from above group by all
