-- Events that report a fault of their capture: one id for two actions, native events without a
-- place in the standard, verdicts that were never given, lines that the centre of a fleet refused,
-- payloads that could not be normalized.
select
    case when e.shares_id_with is not null then 'shared_ids' else 'unknown_events' end as gap,
    case when e.shares_id_with is not null then e.call_id else e.event_type end as what,
    e.machine_id, e.user_id, e.tool, coalesce(m.root, e.session_id) as session_id,
    e.session_id as told_as, e."timestamp", coalesce(e.machine_id, '') as machine
from (
    select * replace (cast(null as varchar) as shares_id_with) from base.events
    where starts_with(event_type, 'vendor.') and len(unmapped) > 0
    union all by name
    select * from base.events where shares_id_with is not null
) as e
left join base.moved as m on coalesce(e.machine_id, '') = m.machine and e.tool = m.tool
    and e.session_id = m.session_id
union all
select
    'guard_failures', failure, machine_id, user_id, tool, session_id, session_id, "timestamp",
    machine
from base.stream
where failure is not null
union all
select
    'refused_lines', error_message, machine_id, user_id, tool, session_id, session_id, "timestamp",
    coalesce(machine_id, '')
from base.events
where event_type = 'vendor.hookstream.LineRefused'
union all
select
    'capture_failures', error_code, machine_id, user_id, tool, session_id, session_id, "timestamp",
    coalesce(machine_id, '')
from base.events
where ends_with(event_type, '.CaptureFailed')
