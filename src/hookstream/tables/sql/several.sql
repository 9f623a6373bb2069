-- Sessions whose reports have to be joined: those that several witnesses tell of, the client's own
-- file (1), what was seen live (2), telemetry (3); and those with questions that have no id, where
-- calls have one.
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
union
select machine, tool, session_id
from (
    select
        coalesce(machine_id, '') as machine, tool, session_id,
        coalesce(bool_or(notification_type = 'ToolPermission'), false)
            and not coalesce(bool_or(event_type = 'Action.Before'), false) as is_question,
        bool_or(not coalesce(list_contains(synthesized, 'call_id'), false)) as has_own_id
    from whole.events
    where call_id is not null and derived is not true and (
        event_type in ('Action.Before', 'Policy.Blocked') or notification_type = 'ToolPermission'
    )
    group by coalesce(machine_id, ''), tool, session_id, call_id
)
group by machine, tool, session_id
having bool_or(is_question and not has_own_id) and bool_or(has_own_id)
