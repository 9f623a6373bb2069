create or replace table spans as
select machine, tool, session_id, cast(began_at as date) as date, over_at, told as events
from base.known
