-- The id that another witness has for a call to which a client's hooks give none: the n-th call of
-- the same action and input; of what is left (a hook rewrote the input, a file has none of it) the
-- n-th of the same tool, then of the same action, in their order.
with
begun as (
    select
        machine, tool, session_id, has_no_id, coalesce(call_id, event_id) as call,
        min(at_) as at_, arg_min(action_name, at_) as action_name,
        lower(arg_min(action_native, at_)) as native,
        arg_min(action_fingerprint, at_) as action_fingerprint, min(believed) as believed
    from whole.told
    where coalesce(derived, false) = false and (
        event_type in ('Action.Before', 'Action.After', 'Policy.Blocked')
        or notification_type = 'ToolPermission'
    )
    group by machine, tool, session_id, has_no_id, coalesce(call_id, event_id)
),
given as (
    select * exclude (best) from (
        select *, min(believed) over (partition by machine, tool, session_id) as best
        from begun where not has_no_id
    ) where believed = best
),
wanting as (from begun where has_no_id),
keyed_wanting as (
    select *, row_number() over (
        partition by machine, tool, session_id, action_name, action_fingerprint order by at_, call
    ) as n from wanting
),
keyed_given as (
    select *, row_number() over (
        partition by machine, tool, session_id, action_name, action_fingerprint order by at_, call
    ) as n from given
),
by_input as (
    select w.machine, w.tool, w.session_id, w.call, g.call as named
    from keyed_wanting as w
    join keyed_given as g using (machine, tool, session_id, action_name, action_fingerprint, n)
),
wanting_still as (
    select *, row_number() over (
        partition by machine, tool, session_id, native order by at_, call
    ) as n
    from wanting anti join by_input using (machine, tool, session_id, call)
),
given_still as (
    select g.*, row_number() over (
        partition by g.machine, g.tool, g.session_id, g.native order by g.at_, g.call
    ) as n
    from given as g anti join by_input as b on g.machine = b.machine and g.tool = b.tool
        and g.session_id = b.session_id and g.call = b.named
),
by_tool as (
    select w.machine, w.tool, w.session_id, w.call, g.call as named
    from wanting_still as w
    join given_still as g using (machine, tool, session_id, native, n)
),
wanting_last as (
    select * replace (row_number() over (
        partition by machine, tool, session_id, action_name order by at_, call
    ) as n)
    from wanting_still anti join by_tool using (machine, tool, session_id, call)
),
given_last as (
    select g.* replace (row_number() over (
        partition by g.machine, g.tool, g.session_id, g.action_name order by g.at_, g.call
    ) as n)
    from given_still as g anti join by_tool as b on g.machine = b.machine and g.tool = b.tool
        and g.session_id = b.session_id and g.call = b.named
)
from by_input
union all
from by_tool
union all
select w.machine, w.tool, w.session_id, w.call, g.call as named
from wanting_last as w
join given_last as g using (machine, tool, session_id, action_name, n)
