-- There is nothing to join where there is one kind of witness, as in most lakes.
create or replace view base.merged as
select *, action_fingerprint as own_fingerprint, cast(null as bigint) as told_place, cast([] as varchar[]) as other_witnesses,
    cast([] as varchar[]) as other_evidence
from base.events
