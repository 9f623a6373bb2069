create or replace table changed_dates as
select machine, tool, session_id, cast(began_at as date)::varchar as date
from base.known semi join changed_sessions using (machine, tool, session_id)
