create or replace temp table links as
select machine, tool, session_id, parent from stored.kin where is_session
