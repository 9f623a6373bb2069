create table if not exists {target} (machine varchar, tool varchar, session_id varchar);
insert into {target} from ({sessions}) as q anti join changed_sessions using (machine, tool, session_id);
create or replace table {target} as select distinct * from {target}
