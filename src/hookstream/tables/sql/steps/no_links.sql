create or replace table links (
    machine varchar, tool varchar, session_id varchar, parent varchar
)
