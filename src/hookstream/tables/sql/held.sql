-- What became of each verdict of a guardian about a call: held, ignored, changed (its input ran),
-- asked_nobody (an ask that the client answered by itself), or unknown. What shows it is the
-- refusal, the answer or the input that ran; silence and an unattended session only suggest it.
with
judged as (
    select
        d.event_id, d.decision, d.modified, d.enforced, d.place, d.failure, m.wanted, a.*,
        k.waits_for_answer, coalesce(k.answers_for_user <> 'client', false) as may_have_host,
        coalesce(n.deny_id is not null and not a.ran, false) as is_refused,
        n.denied_by as refused_by, n.deny_evidence as refused_evidence, n.sure,
        coalesce(a.overridden or a.answer_by is not null, false) as is_answered,
        coalesce(a.answer_by, a.override_by) as answerer,
        case
            when not a.ran or m.wanted is null or a.ran_fingerprint is null then null
            else m.wanted = a.ran_fingerprint
        end as is_used
    from (
        select * from base.decided
        where guardian is not null and is_of_call
            -- Of a guard that failed nothing is to be obeyed, of a word that its client does not
            -- know something is.
            and (decision is not null or failure = 'garbage')
    ) as d
    join base.placed as p on d.machine = p.machine and d.event_id = p.event_id
        and d.place = p.place
    join (select * exclude (failure, modified, guardian) from base.actions) as a
        on p.machine = a.machine and p.tool = a.tool and p.session_id = a.session_id
        and p.call = a.call and p.instance = a.instance
    left join base.denied as n on p.machine = n.machine and p.tool = n.tool
        and p.session_id = n.session_id and p.call = n.call and p.instance = n.instance
    left join base.capabilities as k on d.tool = k.tool
    left join base.changed_inputs as m on d.machine = m.machine and d.tool = m.tool
        and d.session_id = m.session_id and d.about = m.about and d.guardian = m.guardian
),
states as (
    select
        *,
        case
            when decision is null then case when ran then 'ignored' else 'unknown' end
            when decision = 'deny' then case
                when ran then 'ignored' when is_refused then 'held' else 'unknown' end
            when decision = 'ask' and is_refused then case
                when refused_by in ('user', 'host', 'rule') then 'held'
                when refused_by is null or refused_by = 'hook' then 'unknown'
                else 'asked_nobody' end
            when decision = 'ask' and is_answered then case
                when answerer is null or answerer in ('client', 'mode') then 'asked_nobody'
                when is_used then 'changed' when not is_used then 'ignored' else 'held' end
            -- A word that its client does not know, or no person there and no program either.
            when decision = 'ask' and ran and (
                not enforced or (is_attended is false and not may_have_host)
            ) then 'asked_nobody'
            when decision = 'ask' then 'unknown'
            when is_refused then 'ignored'
            when not ran then 'unknown'
            when is_used then 'changed'
            when not is_used then 'ignored'
            when modified then 'unknown'
            -- The client's own question, all the same, or what another guardian wanted.
            when (questioned is not true or ask_place > place) and coalesce(
                answerer in ('user', 'host'),
                questioned and coalesce(is_attended, waits_for_answer)
            ) then 'ignored'
            else 'held'
        end as held
    from judged
)
select
    machine, event_id, tool, session_id, call, instance, held, outcome,
    case
        when held = 'unknown' then null
        when is_refused then refused_evidence
        when is_used is not null then 'input that ran'
        when is_answered then answer_evidence
        else 'result of the call'
    end as held_evidence,
    case
        when held = 'unknown' then null
        -- The guardian's word alone, of a call of which nothing more is known.
        when is_refused and decision = 'deny' and not coalesce(shown_denied, false) then 'inferred'
        -- Nothing but silence shows whose refusal it was.
        when is_refused and decision = 'ask' and held = 'asked_nobody'
            and ends_with(refused_evidence, ' without an after event') then 'inferred'
        when is_refused then sure
        when is_used is null and is_answered then coalesce(answer_certainty, 'observed')
        when held = 'asked_nobody' and is_attended is false and enforced is distinct from false
            then 'inferred'
        else 'observed'
    end as held_certainty
from states
qualify row_number() over (partition by machine, event_id order by held, call) = 1
