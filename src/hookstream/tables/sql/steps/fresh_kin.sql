create or replace table base.fresh_kin as
select k.*, s.session_id is not null as is_session
from base.kin as k
left join (
    select distinct coalesce(machine_id, '') as machine, tool, session_id from base.events
) as s using (machine, tool, session_id)
