-- Calls that were decided inside the client, before any hook was asked: a result, and neither a
-- hook nor telemetry knows the call, in a session in which they know others of its tool. Refused, if
-- the model got a text in the tag of invalid calls that is not one of the client's
-- (`hookstream.core.decisions`), else answered.
with
entered as (
    select machine, tool, session_id, list(distinct action_native) as natives
    from base.actions
    where is_entered
    group by all
),
judged as (
    select
        a.machine, a.tool, a.session_id, a.call, a.instance, a.entry_id, a.entry_place, a.entry_at,
        a.entry_evidence, a.entry_reason,
        coalesce(a.entry_evidence = 'no text of the client', false) as is_strange,
        e.natives, b.tool is not null as shows_before, a.action_native
    from base.actions as a
    join base.capabilities as k on a.tool = k.tool and k.has_mods
    join base.known as s
        on a.machine = s.machine and a.tool = s.tool and a.session_id = s.session_id
    left join entered as e
        on a.machine = e.machine and a.tool = e.tool and a.session_id = e.session_id
    left join (from base.evidence where shows = 'before') as b
        on a.machine = b.machine and s.user_id is not distinct from b.user_id and a.tool = b.tool
    where not a.is_entered and not a.ran and not a.denied and not a.has_answer
        and (a.entry_id is not null or a.is_undecided)
)
select
    machine, tool, session_id, call, instance, entry_id, entry_place, entry_at, entry_evidence,
    entry_reason, case when is_strange then 'denied' else 'answered' end as outcome
from judged
where case
    when is_strange then natives is not null or shows_before
    else len(natives) > 1 or list_contains(natives, action_native) end
