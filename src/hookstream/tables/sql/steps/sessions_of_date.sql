-- Stored sessions that may have events of a date.
select machine, tool, session_id
from stored_sessions
where cast(began_at as date) <= date '{date}' and cast(over_at as date) >= date '{date}'
    {condition}
