-- There is nothing to join where there is one kind of witness, as in most lakes. An event's `place`
-- in its session is its time, 4096 to the microsecond: in whatever order files were read, their
-- records happened when they say. Within one moment it is the sequence, the order in one file.
create or replace view base.merged as
select *, action_fingerprint as own_fingerprint, cast(null as bigint) as told_place, cast([] as varchar[]) as other_witnesses,
    cast([] as varchar[]) as other_evidence,
    least(epoch_us("timestamp"), 2200000000000000) * 4096 + coalesce(sequence, cast(hash(event_id) % 4096 as bigint))
        as place
from base.events
