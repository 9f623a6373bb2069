-- All events, each with the number of its session: grouping by it costs half of grouping by its key.
select e.*, n.session
from base.events as e
join base.numbers as n on coalesce(e.machine_id, '') = n.machine
    and e.tool is not distinct from n.tool and e.session_id is not distinct from n.session_id
