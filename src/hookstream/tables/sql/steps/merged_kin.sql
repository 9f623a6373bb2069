create or replace table kin_rows as
select
    machine, tool, session_id, min(parent) as parent, bool_or(is_alias) as is_alias,
    bool_and(is_separate) as is_separate,
    bool_or(is_session) or any_value(c.tool) is not null or any_value(s.tool) is not null
        as is_session
from (
    select * from base.fresh_kin
    union all by name
    select machine, tool, session_id, parent, is_alias, is_separate, is_session
    from stored.kin {condition}
)
left join changed_sessions as c using (machine, tool, session_id)
left join stored_sessions as s using (machine, tool, session_id)
group by machine, tool, session_id;
create or replace table base.kin as select * exclude (is_session) from kin_rows;
create or replace table links as select * exclude (is_session) from kin_rows where is_session
