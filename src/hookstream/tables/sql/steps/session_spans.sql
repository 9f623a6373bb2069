create or replace table session_spans as
select
    coalesce(machine_id, '') as machine, tool, session_id,
    min("timestamp") as began_at, max("timestamp") as over_at, count(*) as events
from base.events group by all
