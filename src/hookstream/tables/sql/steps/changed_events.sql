delete from numbered_events as n using repeated as r
where n.filename = r.filename and n.file_row_number = r.file_row_number;
drop table if exists changed_events;
alter table numbered_events rename to changed_events;
create or replace table base.numbers as from session_numbers;
create or replace table changed_repeats as from repeated
