select distinct cast(began_at as date)::varchar, cast(over_at as date)::varchar
from stored_sessions semi join {sessions} using (machine, tool, session_id)
