-- Sessions that several witnesses tell of: the client's own file (1), what was seen live (2),
-- telemetry (3).
select machine, tool, session_id
from (
    select distinct
        coalesce(e.machine_id, '') as machine, e.tool,
        coalesce(k.parent, e.session_id) as session_id,
        case coalesce(e.witness, 'hook')
            when 'transcript' then 1 when 'telemetry' then 3 else 2 end as believed
    from whole.events as e
    left join whole.kin as k on coalesce(e.machine_id, '') = k.machine and e.tool = k.tool
        and e.session_id = k.session_id
)
group by all
having count(*) > 1
