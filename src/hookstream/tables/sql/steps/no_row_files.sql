create or replace table row_files as
select machine, tool, session_id, '' as filename from changed_sessions where false
