-- Where witnesses are joined, of each group of sessions when it began and ended.
create or replace table spans as
select
    machine, tool, coalesce(root, session_id) as session_id,
    cast(min(began_at) as date) as date, max(over_at) as over_at, sum(events) as events
from session_spans left join group_roots using (machine, tool, session_id)
group by machine, tool, coalesce(root, session_id)
