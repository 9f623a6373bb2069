create or replace table repeated (
    filename varchar, file_row_number bigint, machine varchar, tool varchar, session_id varchar
)
