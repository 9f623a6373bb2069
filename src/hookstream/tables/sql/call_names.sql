-- The id that another witness has for a call to which a client's hooks or spans give none: the n-th
-- call of the same action and input, or the nearest where one side lost some; then one that has its
-- input once changed; of what is left (a hook rewrote the input, a file has none of it) the n-th of
-- the same tool, then of the same action, in their order. One with another input, or where one side
-- has more, must have been open at that time. Never a refused one and one that ran. A question is of
-- the call of its tool that was open when it was put: of the same input, before or after a change,
-- if any is.
with
reported as (
    select
        machine, tool, session_id, believed, has_no_id, coalesce(call_id, event_id) as call,
        min(at_) as at_, arg_min(action_name, (at_, action_name)) as action_name,
        lower(arg_min(action_native, (at_, action_native))) as native,
        arg_min(action_fingerprint, (at_, action_fingerprint)) as action_fingerprint,
        max(at_) filter (event_type in ('Action.After', 'Policy.Blocked')) as ended_at,
        bool_and(notification_type is not distinct from 'ToolPermission') as is_question,
        case when bool_or(event_type = 'Action.After' and result = 'ok' and not is_presumed) then 'ran'
            when bool_or(event_type = 'Policy.Blocked' or result = 'denied') then 'refused' end as fate
    from base.told
    where coalesce(derived, false) = false and (
        event_type in ('Action.Before', 'Action.After')
        or (event_type = 'Policy.Blocked' and coalesce(subject, 'action') = 'action')
        or notification_type = 'ToolPermission'
    )
    group by machine, tool, session_id, believed, has_no_id, coalesce(call_id, event_id)
),
-- How a call ended, where one witness lost that, is what another says of the same id.
begun as (
    select * replace (
        coalesce(ended_at, max(ended_at) over same) as ended_at,
        coalesce(fate, max(fate) over same) as fate
    )
    from reported window same as (partition by machine, tool, session_id, call)
),
-- All inputs that are known of a call: as it began, as it ended, and what a guardian made of it.
inputs as (
    select distinct
        machine, tool, session_id, believed, coalesce(call_id, event_id) as call, action_fingerprint
    from base.told
    where action_fingerprint is not null and coalesce(derived, false) = false
        and (starts_with(event_type, 'Action.') or ends_with(event_type, '.ToolInputModified'))
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
    where believed <> names and not is_question
),
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
    join (select distinct machine, tool, session_id, believed from wanting) as w
        using (machine, tool, session_id)
    where b.believed = n.names and not b.is_question
    union all
    select o.* exclude (believed), w.believed
    from others as o
    join (select distinct machine, tool, session_id, believed from wanting) as w
        using (machine, tool, session_id)
    where o.believed <> w.believed
),
-- Its own refusals of calls that only the others report, by their input alone.
lone as (
    select b.machine, b.tool, b.session_id, b.believed, b.call, b.action_name,
        b.action_fingerprint, row_number() over (
            partition by b.machine, b.tool, b.session_id, b.action_name, b.action_fingerprint
            order by b.at_, b.call
        ) as n
    from begun as b
    join namer as n using (machine, tool, session_id)
    where b.has_no_id and b.believed = n.names and not b.is_question
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
    select *, row_number() over same as n, count(*) over (
        partition by machine, tool, session_id, believed, action_name, action_fingerprint
    ) as left_over
    from wanting
    window same as (
        partition by machine, tool, session_id, believed, action_name, action_fingerprint
        order by at_, call
    )
),
given_once as (
    select *, row_number() over same as n, count(*) over (
        partition by machine, tool, session_id, believed, action_name, action_fingerprint
    ) as left_over
    from given
    window same as (
        partition by machine, tool, session_id, believed, action_name, action_fingerprint
        order by at_, call
    )
),
same_input as (
    select a.machine, a.tool, a.session_id, a.believed, a.call, g.call as named, a.n,
        g.n as other_n, a.left_over + g.left_over = 2 as is_only, g.at_ - a.at_ as ahead,
        greatest(g.at_ - coalesce(a.ended_at, a.at_), a.at_ - g.ended_at, 0) as apart
    from asking_once as a
    join given_once as g using (machine, tool, session_id, believed, action_name, action_fingerprint)
    -- Equal calls may be too many to compare each with each.
    where case when a.left_over = g.left_over or least(a.left_over, g.left_over) > 256
        then a.n = g.n else coalesce(a.fate = g.fate, true) end
),
by_input as (
    select machine, tool, session_id, believed, call, named
    from same_input
    qualify row_number() over (
        partition by machine, tool, session_id, believed, call order by apart, abs(ahead), other_n
    ) = 1 and row_number() over (
        partition by machine, tool, session_id, believed, named order by apart, abs(ahead), n
    ) = 1
),
unnamed as (
    from wanting anti join by_input using (machine, tool, session_id, believed, call)
),
ungiven as (
    from given as g anti join by_input as b on g.machine = b.machine and g.tool = b.tool
        and g.session_id = b.session_id and g.believed = b.believed and g.call = b.named
),
-- How far the clock of one is before the other's, by what both have once.
clocks as (
    select machine, tool, session_id, believed, median(ahead) as ahead
    from same_input where is_only group by all
),
-- ... or with an input that a guardian made of it, or that its end has.
other_input as (
    select a.machine, a.tool, a.session_id, a.believed, a.call, g.call as named,
        min(greatest(g.at_ - coalesce(a.ended_at, a.at_), a.at_ - g.ended_at, 0)) as apart
    from unnamed as a
    join inputs as i on a.machine = i.machine and a.tool = i.tool and a.session_id = i.session_id
        and a.call = i.call
    join inputs as o on i.machine = o.machine and i.tool = o.tool and i.session_id = o.session_id
        and i.action_fingerprint = o.action_fingerprint and i.call <> o.call
    join ungiven as g on o.machine = g.machine and o.tool = g.tool and o.session_id = g.session_id
        and o.call = g.call and a.believed = g.believed and coalesce(a.fate = g.fate, true)
    group by all
),
by_known_input as (
    from by_input
    union all
    select machine, tool, session_id, believed, call, named
    from other_input
    qualify row_number() over (
        partition by machine, tool, session_id, believed, call order by apart, named
    ) = 1 and row_number() over (
        partition by machine, tool, session_id, believed, named order by apart, call
    ) = 1
),
asking_still as (
    select *, row_number() over same as n, count(*) over (
        partition by machine, tool, session_id, believed, native
    ) as left_over
    from wanting anti join by_known_input using (machine, tool, session_id, believed, call)
    window same as (
        partition by machine, tool, session_id, believed, native order by at_, call
    )
),
given_still as (
    select g.*, row_number() over same as n, count(*) over (
        partition by g.machine, g.tool, g.session_id, g.believed, g.native
    ) as left_over
    from given as g anti join by_known_input as b on g.machine = b.machine and g.tool = b.tool
        and g.session_id = b.session_id and g.believed = b.believed and g.call = b.named
    window same as (
        partition by g.machine, g.tool, g.session_id, g.believed, g.native order by g.at_, g.call
    )
),
by_native as (
    select machine, tool, session_id, believed, call, named
    from (
        select a.*, g.call as named, g.n as other_n,
            a.left_over = g.left_over and coalesce(a.action_fingerprint = g.action_fingerprint, true)
                as is_alike,
            greatest(
                g.at_ - coalesce(c.ahead, 0) - coalesce(a.ended_at, a.at_),
                a.at_ + coalesce(c.ahead, 0) - case when is_alike then g.ended_at
                    else coalesce(g.ended_at, g.at_) end,
                0
            ) as apart,
            abs(g.at_ - a.at_) as ahead
        from asking_still as a
        join given_still as g using (machine, tool, session_id, believed, native)
        left join clocks as c using (machine, tool, session_id, believed)
        where coalesce(a.fate = g.fate, true) and (a.n = g.n or a.left_over <> g.left_over)
    )
    where apart <= case when is_alike then 16000000 else 80000 end
    qualify row_number() over (
        partition by machine, tool, session_id, believed, call order by apart, ahead, other_n
    ) = 1 and row_number() over (
        partition by machine, tool, session_id, believed, named order by apart, ahead, n
    ) = 1
),
asking_last as (
    select * replace (row_number() over same as n, count(*) over (
        partition by machine, tool, session_id, believed, action_name
    ) as left_over)
    from asking_still anti join by_native using (machine, tool, session_id, believed, call)
    window same as (
        partition by machine, tool, session_id, believed, action_name order by at_, call
    )
),
given_last as (
    select g.* replace (row_number() over same as n, count(*) over (
        partition by g.machine, g.tool, g.session_id, g.believed, g.action_name
    ) as left_over)
    from given_still as g anti join by_native as b on g.machine = b.machine and g.tool = b.tool
        and g.session_id = b.session_id and g.believed = b.believed and g.call = b.named
    window same as (
        partition by g.machine, g.tool, g.session_id, g.believed, g.action_name order by g.at_, g.call
    )
),
by_action_name as (
    select machine, tool, session_id, believed, call, named
    from (
        select a.*, g.call as named, g.n as other_n,
            a.left_over = g.left_over and coalesce(a.action_fingerprint = g.action_fingerprint, true)
                as is_alike,
            greatest(
                g.at_ - coalesce(c.ahead, 0) - coalesce(a.ended_at, a.at_),
                a.at_ + coalesce(c.ahead, 0) - case when is_alike then g.ended_at
                    else coalesce(g.ended_at, g.at_) end,
                0
            ) as apart,
            abs(g.at_ - a.at_) as ahead
        from asking_last as a
        join given_last as g using (machine, tool, session_id, believed, action_name)
        left join clocks as c using (machine, tool, session_id, believed)
        where coalesce(a.fate = g.fate, true) and (a.n = g.n or a.left_over <> g.left_over)
    )
    where apart <= case when is_alike then 16000000 else 80000 end
    qualify row_number() over (
        partition by machine, tool, session_id, believed, call order by apart, ahead, other_n
    ) = 1 and row_number() over (
        partition by machine, tool, session_id, believed, named order by apart, ahead, n
    ) = 1
),
named as (
    from by_known_input
    union all
    from of_lone
    union all
    from by_native
    union all
    from by_action_name
),
spans as (
    select
        b.machine, b.tool, b.session_id, coalesce(r.named, b.call) as call,
        min(b.at_) as begun_at, max(b.ended_at) as ended_at, list(distinct b.native) as natives
    from begun as b
    join namer as n using (machine, tool, session_id)
    left join named as r on b.has_no_id and r.machine = b.machine and r.tool = b.tool
        and r.session_id = b.session_id and r.believed = b.believed and r.call = b.call
    where not b.is_question and (not b.has_no_id or b.believed = n.names or r.named is not null)
    group by all
),
named_inputs as (
    select distinct
        t.machine, t.tool, t.session_id, coalesce(r.named, t.call_id, t.event_id) as call,
        t.action_fingerprint
    from base.told as t
    left join named as r on t.has_no_id and r.machine = t.machine and r.tool = t.tool
        and r.session_id = t.session_id and r.believed = t.believed
        and r.call = coalesce(t.call_id, t.event_id)
    where t.action_fingerprint is not null
        and t.notification_type is distinct from 'ToolPermission'
),
questions as (
    select *, row_number() over (
        partition by machine, tool, session_id, believed, action_fingerprint order by at_, call
    ) as n
    from nameless where is_question
),
of_questions as (
    select
        q.machine, q.tool, q.session_id, q.believed, q.call, s.call as named
    from questions as q
    join (
        select s.*, i.action_fingerprint, row_number() over (
            partition by s.machine, s.tool, s.session_id, i.action_fingerprint
            order by s.begun_at, s.call
        ) as n
        from spans as s left join named_inputs as i using (machine, tool, session_id, call)
    ) as s on q.machine = s.machine and q.tool = s.tool and q.session_id = s.session_id
        and (s.action_fingerprint = q.action_fingerprint or list_contains(s.natives, q.native))
    -- Witnesses take their times a little apart: in microseconds, times eight. A busy machine may
    -- write a question after its answer; the input tells whose it was.
    where s.begun_at <= q.at_ + 8000000 and coalesce(s.ended_at >= q.at_ - case
        when s.action_fingerprint = q.action_fingerprint then 80000000 else 8000000 end, true)
    qualify row_number() over (
        partition by q.machine, q.tool, q.session_id, q.believed, q.call
        order by coalesce(s.action_fingerprint = q.action_fingerprint, false) desc,
            greatest(s.begun_at - q.at_, q.at_ - s.ended_at, 0),
            case when s.action_fingerprint = q.action_fingerprint then abs(s.n - q.n) else 0 end,
            s.begun_at desc, s.call
    ) = 1
)
from named
union all
from of_questions
