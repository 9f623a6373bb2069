-- Refusals whose action ran later in the session. Within one source, the agent and witness of the
-- refusal, it is enough that it was over later, except an equal call that was begun before. Of another
-- source it has to begin later, by more than two clocks can tell (a tenth of a second): within that, `is_sure` is empty, as no witness saw which was first.
with
refused as (
    select
        d.machine, d.tool, d.session_id, d.deny_id, d.deny_place, a.agent_id, a.witnesses,
        a.action_fingerprint, d.call, d.instance
    from base.denied as d join base.actions as a using (machine, tool, session_id, call, instance)
    where a.action_fingerprint is not null
    union all
    select
        machine, tool, session_id, event_id, place, agent_id, [coalesce(witness, 'hook')],
        action_fingerprint, null as call, null as instance
    from base.decided
    where decision = 'deny' and not (is_of_call and enforced) and not is_loose
        and action_fingerprint is not null
),
compared as (
    select
        r.machine, r.deny_id,
        case
            when r.agent_id is not distinct from a.agent_id
                and list_has_any(r.witnesses, a.witnesses)
                then case when r.call = a.call and r.instance = a.instance or r.call is null
                    or not a.has_before then a.ran_place else a.before_place end
            else a.first_place - 409600000
        end > r.deny_place as is_sure,
        a.first_place between r.deny_place - 409600000 and r.deny_place + 409600000 as is_near
    from refused as r
    join base.actions as a using (machine, tool, session_id, action_fingerprint)
    where a.ran_place is not null
)
select machine, deny_id, nullif(bool_or(is_sure), false) as is_sure
from compared where is_sure or is_near
group by all
