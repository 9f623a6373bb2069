-- Each decision with its subject, by `hookstream.decisions` (`subjects`): by its own subject or
-- hook point, by the event that it is about, else by its own type and action.
with
looked_up as (
    select
        d.*, a.event_id is not null as has_about, a.hook_point as about_point,
        a.event_type as about_type, t.text_hash,
        case when d.event_type <> 'Action.After' and d.hook_point <> 'PostAskResolution'
            then d.hook_point end as own_point
    from base.decided_rows as d
    left join base.decided_about as a
        on d.machine = a.machine and d.about = a.event_id and d.subject is null
    left join base.decided_about as t on d.machine = t.machine and d.about = t.event_id
),
named as (
    select
        d.*,
        coalesce(
            d.subject,
            case when d.has_about then coalesce(p.subject, t.subject, n.subject, 'other') end,
            g.subject,
            case when d.event_type = 'Action.After' then 'action' end,
            o.subject, y.subject, m.subject,
            case when coalesce(d.action_native, d.action_name, d.call_id) is not null
                then 'action' else 'other' end
        ) as about_what
    from looked_up as d
    left join base.subjects as p on p.key = 'point:' || d.about_point
    left join base.subjects as t on t.key = 'type:' || d.about_type
    left join base.subjects as n
        on starts_with(d.about_type, 'vendor.') and n.key = 'name:' || split_part(d.about_type, '.', -1)
    left join base.subjects as g on g.key = 'point:' || d.decision_point
    left join base.subjects as o on o.key = 'point:' || d.own_point
    left join base.subjects as y on y.key = 'type:' || d.event_type
    left join base.subjects as m
        on starts_with(d.event_type, 'vendor.') and m.key = 'name:' || split_part(d.event_type, '.', -1)
)
select
    n.* exclude (has_about, about_point, about_type, own_point, about_what, text_hash) replace (
        case when n.decision is not null or n.about_what <> 'other' then n.about_what end as subject,
        case when n.decision = 'deny' then coalesce(n.enforced, true) else n.enforced end as enforced,
        -- A result may hold the input of its call, too.
        case when n.about_what = 'action' then n.input_hash else coalesce(n.text_hash, n.input_hash)
            end as input_hash
    ),
    coalesce(
        n.decision_point, n.about_point,
        case when n.about_what = 'action' or (n.subject is null and not n.has_about)
            then coalesce(n.own_point, s.point) end
    ) as point,
    -- Telemetry of a hook may name no call: the call's own record has its result.
    n.about_what = 'action' and not starts_with(n.event_type, 'Policy.')
        and coalesce(n.call_id, n.action_native, n.action_name, n.about) is null as is_loose,
    -- Whether it decides that a call may run or not; an answer that fits several questions, or
    -- none, is of no call.
    (
        n.about_what = 'action' and not is_loose and (
            n.hook_point is distinct from 'PostAskResolution'
            or coalesce(n.call_id, n.action_native, n.action_name, n.about) is not null
        )
    ) or (
        n.about_what <> 'result' and coalesce(n.action_native, n.action_name) is not null
    ) as is_of_call
from named as n
left join base.subjects as s on s.key = 'subject:' || n.about_what
