-- One row per compaction: what announced it, the session's start after it and what closed it, as
-- `detect.compactions` decides for the stream and for tables alike (`found_compactions`).
with
told as (
    select
        f.number, min(s.place) as first_place, max(s.place) as last_place,
        arg_min(s."timestamp", s.place) as "timestamp",
        list_sort(list(distinct s.witness)) as witnesses
    from (select number, unnest(steps) as n from base.found_compactions) as f
    join base.context_steps as s using (n)
    group by f.number
),
refused as (
    select f.number, count(*) as denies
    from base.found_compactions as f
    join told as t using (number)
    join base.denies as d on f.machine = d.machine and f.tool = d.tool
        and f.session_id = d.session_id and d.deny_place < t.first_place
    group by f.number
)
select
    nullif(f.machine, '') as machine_id, k.user_id, f.tool, f.session_id,
    nullif(f.agent, '') as agent_id, f.evidence[1] as event_id, t."timestamp",
    f."trigger", f.tokens_before, f.tokens_after, f.tokens_removed, f.completed, f."end",
    f.certainty, coalesce(r.denies, 0) as denies_before, f.evidence, t.witnesses,
    t.first_place, t.last_place, f.machine
from base.found_compactions as f
join told as t using (number)
join base.known as k using (machine, tool, session_id)
left join refused as r using (number)
