-- Events without second reports of one action, each with its place within its session: the sequence
-- (design 5.2), or where none was given (lines straight from a hook) the time it came; of equal
-- ones the event's id decides, so that the same rows give the same answer in whatever order they
-- are stored. What a hook could not normalize belongs to no session (`capture_faults`).
select
    *,
    coalesce(machine_id, '') as machine,
    coalesce(
        told_place * 512, coalesce(sequence, epoch_us(coalesce(received_at, "timestamp"))) * 4096
    ) + cast(hash(event_id) % 512 as bigint) as place,
    coalesce(outcome, case when success then 'ok' when not success then 'error' end) as result
from base.merged
where duplicate_of is null and not ends_with(event_type, '.CaptureFailed')
    and event_type <> 'vendor.hookstream.LineRefused'
