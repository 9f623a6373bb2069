-- Sessions of one id ($1), and of a time ($2 to $3).
create or replace temp table selected_sessions as
select distinct machine, tool, session_id
from stored.sessions
where ($1 is null or session_id = $1) and ($2 is null or over_at >= $2)
    and ($3 is null or began_at <= $3)
