create or replace view whole.events as
select * exclude (filename, file_row_number) from changed_events
