-- Events of the sessions that have a number, all columns, with it.
create or replace table {target} as
select e.*, n.session as told_session
from {events} as e
join {numbers} as n
    on coalesce(e.machine_id, '') = n.machine and e.tool = n.tool and e.session_id = n.session_id
{condition}
