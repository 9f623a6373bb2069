-- The stream, each event with the number of its session (`keyed_events`).
select s.*, n.session
from base.stream as s
join base.numbers as n on s.machine = n.machine and s.tool is not distinct from n.tool
    and s.session_id is not distinct from n.session_id
