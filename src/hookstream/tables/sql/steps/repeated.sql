-- The most complete of them stays, of equal ones the earliest: what a fork repeats is its parent's.
-- Rows of events that are reported a second time: where they are, and their {key}.
create or replace table repeated as
from {scan} as row
semi join (
    select hash(event_id) as mark from {scan} group by mark having count(*) > 1
) as twice on hash(row.event_id) = twice.mark
select filename, file_row_number, {key}
qualify row_number() over (
    partition by {content} order by {first}
) > 1
