-- Events without second reports of one action. What a hook could not normalize belongs to no session
-- (`capture_faults`).
select
    *,
    coalesce(machine_id, '') as machine,
    coalesce(outcome, case when success then 'ok' when not success then 'error' end) as result
from base.merged
where duplicate_of is null and not ends_with(event_type, '.CaptureFailed')
    and event_type <> 'vendor.hookstream.LineRefused'
