-- Denied calls. Observed: an event says so, or the entry of a batch repeats a call that has a
-- before and no after event, in a session that shows after events of successes, and of failures too
-- where a failure would not say so in its text (the stages see that only from the session's first
-- such events on, a query sees all of it). Inferred (design 5.11): a before event and nothing after
-- it, in a session that continued, if the client's hooks show on this machine and for this user
-- what ran, and the client sends nothing for what was refused (`capabilities`, from the vendors'
-- tables). An interrupted call looks the same: that is why it is `inferred`.
with
candidates as materialized (
    select
        c.machine, c.tool, c.session_id, c.call, c.instance, c.call_id, c.turn_id, c.action_name,
        c.action_category, c.action_native, c.command, c.witnesses, c.first_at, c.last_at,
        c.last_place, c.has_before, c.is_entered, c.is_undecided, c.has_after, c.denied, c.overridden, c.asked,
        c.before_id, c.before_place, c.entry_id, c.entry_place, c.entry_at, c.entry_native,
        c.entry_evidence, c.entry_certainty, c.deny_id, c.deny_place, c.deny_at, c.denied_by,
        c.deny_reason, c.deny_rule, c.deny_evidence, c.deny_certainty, c.deny_policy, c.deny_engine,
        c.deny_severity, c.deny_subject, c.deny_point,
        s.user_id, s.has_ok, s.has_failed, s.has_batch, s.went_on,
        s.has_after as session_has_after, s.parent_session_id as session_parent, k.* exclude (tool)
    from base.actions as c
    join base.known as s using (machine, tool, session_id)
    left join base.capabilities as k on c.tool = k.tool
    where c.denied or (c.has_before and not c.has_answer)
),
-- Entries of batches that repeat a call without an answer: `refusals` says which are refusals.
entries as (
    select
        c.*,
        coalesce(c.entry_certainty = 'observed', false) as says_so,
        c.entry_evidence is not null as is_worded,
        coalesce(c.action_name = 'shell', false) as is_shell,
        c.has_ok as shows_ok, c.has_failed as shows_failed, c.session_has_after as shows_after,
        e.tool is not null as machine_shows_ok
    from candidates as c
    left join (from base.evidence where shows = 'ok') as e
        on c.machine = e.machine and c.user_id is not distinct from e.user_id and c.tool = e.tool
    where not c.denied and not c.overridden and c.is_entered and c.entry_id is not null
        and not c.is_undecided
),
unanswered as (
    select e.* exclude (
        says_so, is_worded, is_shell, shows_ok, shows_failed, shows_after, machine_shows_ok
    ), r.sure
    from entries as e
    join base.refusals as r using (
        says_so, is_worded, is_shell, shows_ok, shows_failed, shows_after, machine_shows_ok
    )
),
-- For clients whose turn continues after a refusal: the next event of turns and of the session.
went_on_with as (
    select
        c.machine, c.tool, c.session_id, c.call, c.instance,
        arg_min(s.event_type, (s.place, s.event_id, s.event_type)) as next_type
    from candidates as c
    semi join (from base.evidence where shows = 'turns') as e
        on c.machine = e.machine and c.user_id is not distinct from e.user_id and c.tool = e.tool
    join base.stream as s on c.machine = s.machine and c.tool = s.tool
        and c.session_id = s.session_id and s.place > c.last_place
    where c.turn_goes_on and c.has_before and not c.has_after and not c.denied and not c.asked
        and s.event_type in (
            'Prompt.Submitted', 'Agent.Response', 'Model.Requested', 'Session.Start', 'Session.End',
            'Session.Abort'
        )
    group by all
),
-- For clients that continue within some seconds: calls after which their turn did.
went_on_soon as (
    select distinct c.machine, c.tool, c.session_id, c.call, c.instance
    from candidates as c
    join base.stream as s on c.machine = s.machine and c.tool = s.tool
        and c.session_id = s.session_id and s.turn_id = c.turn_id and s.place > c.last_place
    where c.goes_on_within_s is not null and c.has_before and not c.has_after and not c.denied
        and s.event_type in (
            'Action.Before', 'Agent.Response', 'Agent.Plan.End', 'Model.Requested'
        )
        and s."timestamp" < c.last_at + to_milliseconds(cast(1000 * c.goes_on_within_s as bigint))
),
silent as (
    select c.*
    from candidates as c
    left join went_on_with as n using (machine, tool, session_id, call, instance)
    left join went_on_soon as w using (machine, tool, session_id, call, instance)
    -- A sub-agent's session may end without an event: its parent continues.
    left join base.known as p on c.machine = p.machine and c.tool = p.tool
        and c.session_parent = p.session_id
    left join (from base.evidence where shows = 'after') as t
        on c.machine = t.machine and c.user_id is not distinct from t.user_id and c.tool = t.tool
        and c.action_native = t.action_native
    where c.has_before and not c.has_after and not c.denied and not c.overridden
        and c.call_id is not null
        -- Silence is a live witness's: a file may end anywhere.
        and list_has_any(c.witnesses, ['hook', 'wrap', 'callback'])
        and c.silence_means = 'refused'
        and (c.session_has_after or t.tool is not null)
        and (c.went_on > c.last_place or p.went_on_at > c.last_at)
        -- Nothing was refused if the program ended, or was restarted, before the turn continued.
        and not coalesce(n.next_type in ('Session.Start', 'Session.End', 'Session.Abort'), false)
        and (
            c.asked
            or not c.only_after_question
            or (c.batch_names_refusals and not c.has_batch)
            or (
                list_contains(c.silent_categories, c.action_category)
                and not coalesce(
                    regexp_matches(c.command, nullif(c.silent_otherwise, '')), false
                )
                and w.call is not null
            )
        )
)
select
    machine, tool, session_id, call, instance, deny_id, deny_place, deny_at, denied_by, deny_reason,
    deny_rule, deny_evidence, deny_policy, deny_engine, deny_severity, deny_subject, deny_point,
    coalesce(deny_certainty, 'observed') as sure
from candidates
where denied
union all by name
select
    machine, tool, session_id, call, instance, entry_id as deny_id, entry_place as deny_place,
    entry_at as deny_at, denied_by, deny_reason, deny_rule,
    coalesce(entry_evidence, entry_native || ' without an after event') as deny_evidence,
    deny_policy, deny_engine, deny_severity, sure
from unanswered
union all by name
select
    machine, tool, session_id, call, instance, entry_id as deny_id, entry_place as deny_place,
    entry_at as deny_at, 'mod' as denied_by, entry_reason as deny_reason,
    entry_evidence as deny_evidence, 'inferred' as sure
from base.inside
where outcome = 'denied'
union all by name
select
    machine, tool, session_id, call, instance, before_id as deny_id, before_place as deny_place,
    first_at as deny_at, coalesce(denied_by, nullif(silent_refuser, '')) as denied_by, deny_reason,
    deny_rule,
    case when asked then 'a question and no after event' else 'no after event' end as deny_evidence,
    deny_policy, deny_engine, deny_severity, 'inferred' as sure
from silent
