create or replace view base.events as
select * exclude (filename, file_row_number) from changed_events
