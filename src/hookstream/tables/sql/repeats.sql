-- Events of such sessions that say again what another witness's event says: a prompt, the start or
-- end of a sub-agent, a compaction, what was derived of the same call. `first_id` is that event.
with
facts as (
    select
        t.machine, t.tool, t.session_id, event_id, event_type, at_, believed, first_,
        case
            when event_type = 'Prompt.Submitted' then 'prompt'
            when event_type in ('Agent.Plan.Start', 'Agent.Plan.End') then event_type
            when event_type = 'Context.Compaction' and context_phase = 'after' then 'compaction'
            when event_type in ('Session.Start', 'Session.End') then event_type
            when event_type = 'Model.Failed' and final then 'failed'
            when derived then 'derived ' || event_type
                || coalesce(cast(retry_iteration as varchar), '')
        end as kind,
        case
            when event_type = 'Prompt.Submitted' then prompt_hash
            when event_type in ('Agent.Plan.Start', 'Agent.Plan.End')
                then coalesce(a.named, agent_id, child_session_id)
            when derived then coalesce(action_fingerprint, call_id, '')
        end as mark
    from base.told as t
    left join base.agent_names as a on t.machine = a.machine and t.tool = a.tool
        and t.session_id = a.session_id and t.parent_call_id = a.call
),
wanted as (
    from facts anti join base.unprompted using (machine, event_id) where kind is not null
),
-- The n-th with the same mark of one witness is the n-th of another.
marked as (
    select *, row_number() over (
        partition by machine, tool, session_id, kind, mark, believed order by at_, event_id
    ) as n
    from wanted where mark is not null
),
groups as (
    select
        machine, tool, session_id, kind, mark, n, arg_min(event_id, (first_, at_, event_id)) as first_id,
        min(at_) as at_, list(distinct believed) as told_by
    from marked group by all having count(distinct believed) > 1
),
in_group as (
    select m.event_id, m.machine, g.first_id
    from marked as m join groups as g using (machine, tool, session_id, kind, mark, n)
),
-- Of the rest, the n-th of a witness is the n-th of what it has no part in: groups first.
alone as (
    select w.* from wanted as w
    anti join in_group as g on w.machine = g.machine and w.event_id = g.event_id
    where not starts_with(w.kind, 'derived')
),
alone_once as (
    select *, row_number() over (
        partition by machine, tool, session_id, kind, believed order by at_, event_id
    ) as n
    from alone
),
open_groups as (
    select
        g.machine, g.tool, g.session_id, g.kind, w.believed, g.first_id,
        row_number() over (
            partition by g.machine, g.tool, g.session_id, g.kind, w.believed
            order by g.at_, g.first_id
        ) as n
    from groups as g
    join (select distinct machine, tool, session_id, kind, believed from alone) as w
        using (machine, tool, session_id, kind)
    where not list_contains(g.told_by, w.believed)
),
to_group as (
    select a.event_id, a.machine, g.first_id
    from alone_once as a
    join open_groups as g using (machine, tool, session_id, kind, believed, n)
),
rest as (
    select a.*, row_number() over (
        partition by a.machine, a.tool, a.session_id, a.kind, a.believed order by a.at_, a.event_id
    ) as m
    from alone as a anti join to_group as g on a.machine = g.machine and a.event_id = g.event_id
),
first_of_rest as (
    select machine, tool, session_id, kind, m, arg_min(event_id, (first_, at_, event_id)) as first_id
    from rest group by all having count(distinct believed) > 1
),
found as (
    from in_group
    union all
    from to_group
    union all
    select r.event_id, r.machine, f.first_id
    from rest as r join first_of_rest as f using (machine, tool, session_id, kind, m)
)
select event_id, machine, first_id from found where event_id <> first_id
