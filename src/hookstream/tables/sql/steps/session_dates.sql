create or replace table session_dates as
select machine, tool, session_id, cast(began_at as date) as date from base.known
