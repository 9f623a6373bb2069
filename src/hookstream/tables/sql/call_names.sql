-- The id that another witness has for a call to which a client's hooks or spans give none: the n-th
-- call of the same action and input; of what is left (a hook rewrote the input, a file has none of
-- it) the n-th of the same tool, then of the same action, in their order.
with
begun as (
    select
        machine, tool, session_id, believed, has_no_id, coalesce(call_id, event_id) as call,
        min(at_) as at_, arg_min(action_name, (at_, action_name)) as action_name,
        lower(arg_min(action_native, (at_, action_native))) as native,
        arg_min(action_fingerprint, (at_, action_fingerprint)) as action_fingerprint
    from base.told
    where coalesce(derived, false) = false and (
        event_type in ('Action.Before', 'Action.After')
        or (event_type = 'Policy.Blocked' and coalesce(subject, 'action') = 'action')
        or notification_type = 'ToolPermission'
    )
    group by machine, tool, session_id, believed, has_no_id, coalesce(call_id, event_id)
),
-- The witness whose names are taken: the one with its own ids that is believed most.
namer as (
    select machine, tool, session_id, arg_min(believed, (has_no_id, believed)) as names
    from begun group by machine, tool, session_id
),
-- An id that the session has paired already is some witness's own.
nameless as (
    select b.* from begun as b
    where has_no_id and not exists (
        from begun as o where not o.has_no_id and o.machine = b.machine and o.tool = b.tool
            and o.session_id = b.session_id and o.call = b.call
    )
),
wanting as (
    select b.* from nameless as b join namer using (machine, tool, session_id)
    where believed <> names
),
-- A client's own questions may have no id where its calls have one.
questions as (
    select b.* from nameless as b join namer using (machine, tool, session_id)
    where believed = names and exists (
        from begun as o where not o.has_no_id and o.machine = b.machine and o.tool = b.tool
            and o.session_id = b.session_id and o.believed = b.believed
            and o.action_name = b.action_name
            and o.action_fingerprint is not distinct from b.action_fingerprint
    )
),
asking as (from wanting union all from questions),
-- Calls that only the others report: it may not have come to them yet, or never report them.
others as (
    select b.* from begun as b join namer as n using (machine, tool, session_id)
    where b.believed <> n.names and not b.has_no_id and not exists (
        from begun as o where o.machine = b.machine and o.tool = b.tool
            and o.session_id = b.session_id and o.believed = n.names and o.call = b.call
    )
    qualify row_number() over (
        partition by b.machine, b.tool, b.session_id, b.call order by b.believed
    ) = 1
),
given as (
    select b.* exclude (believed), w.believed
    from begun as b
    join namer as n using (machine, tool, session_id)
    join (select distinct machine, tool, session_id, believed from asking) as w
        using (machine, tool, session_id)
    where b.believed = n.names and (not b.has_no_id or w.believed <> n.names)
        and (not b.has_no_id or not exists (
            from questions as q where q.machine = b.machine and q.tool = b.tool
                and q.session_id = b.session_id and q.call = b.call
        ))
    union all
    select o.* exclude (believed), w.believed
    from others as o
    join (select distinct machine, tool, session_id, believed from wanting) as w
        using (machine, tool, session_id)
    where o.believed <> w.believed
),
-- Its own questions about calls that only the others report, by their input alone.
lone as (
    select b.machine, b.tool, b.session_id, b.believed, b.call, b.action_name,
        b.action_fingerprint, row_number() over (
            partition by b.machine, b.tool, b.session_id, b.action_name, b.action_fingerprint
            order by b.at_, b.call
        ) as n
    from begun as b
    join namer as n using (machine, tool, session_id)
    anti join questions as q on q.machine = b.machine and q.tool = b.tool
        and q.session_id = b.session_id and q.call = b.call
    where b.has_no_id and b.believed = n.names
),
of_lone as (
    select l.machine, l.tool, l.session_id, l.believed, l.call, o.call as named
    from lone as l
    join (
        select *, row_number() over (
            partition by machine, tool, session_id, action_name, action_fingerprint
            order by at_, call
        ) as n
        from others where action_fingerprint is not null
    ) as o using (machine, tool, session_id, action_name, action_fingerprint, n)
),
asking_once as (
    select *, row_number() over (
        partition by machine, tool, session_id, believed, action_name, action_fingerprint
        order by at_, call
    ) as n from asking
),
given_once as (
    select *, row_number() over (
        partition by machine, tool, session_id, believed, action_name, action_fingerprint
        order by at_, call
    ) as n from given
),
by_input as (
    select a.machine, a.tool, a.session_id, a.believed, a.call, g.call as named
    from asking_once as a
    join given_once as g using (
        machine, tool, session_id, believed, action_name, action_fingerprint, n
    )
),
asking_still as (
    select *, row_number() over (
        partition by machine, tool, session_id, believed, native order by at_, call
    ) as n
    from asking anti join by_input using (machine, tool, session_id, believed, call)
),
given_still as (
    select g.*, row_number() over (
        partition by g.machine, g.tool, g.session_id, g.believed, g.native order by g.at_, g.call
    ) as n
    from given as g anti join by_input as b on g.machine = b.machine and g.tool = b.tool
        and g.session_id = b.session_id and g.believed = b.believed and g.call = b.named
),
by_tool as (
    select a.machine, a.tool, a.session_id, a.believed, a.call, g.call as named
    from asking_still as a
    join given_still as g using (machine, tool, session_id, believed, native, n)
),
asking_last as (
    select * replace (row_number() over (
        partition by machine, tool, session_id, believed, action_name order by at_, call
    ) as n)
    from asking_still anti join by_tool using (machine, tool, session_id, believed, call)
),
given_last as (
    select g.* replace (row_number() over (
        partition by g.machine, g.tool, g.session_id, g.believed, g.action_name
        order by g.at_, g.call
    ) as n)
    from given_still as g anti join by_tool as b on g.machine = b.machine and g.tool = b.tool
        and g.session_id = b.session_id and g.believed = b.believed and g.call = b.named
)
from by_input
union all
from of_lone
union all
from by_tool
union all
select a.machine, a.tool, a.session_id, a.believed, a.call, g.call as named
from asking_last as a
join given_last as g using (machine, tool, session_id, believed, action_name, n)
