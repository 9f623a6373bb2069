create or replace table {target} as
select row_number() over () + {after} as session, machine, tool, session_id from {sessions}
