-- Sessions that several witnesses report: a mod (0), the client's own file (1), what was seen live
-- (2), telemetry (3).
select machine, tool, session_id
from (
    select distinct
        coalesce(e.machine_id, '') as machine, e.tool,
        coalesce(r.root, e.session_id) as session_id,
        case coalesce(e.witness, 'hook')
            when 'mod' then 0 when 'transcript' then 1 when 'telemetry' then 3 else 2 end as believed
    from base.events as e
    left join base.roots as r on coalesce(e.machine_id, '') = r.machine and e.tool = r.tool
        and e.session_id = r.session_id
)
group by all
having count(*) > 1
