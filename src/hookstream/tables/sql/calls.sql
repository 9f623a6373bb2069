-- One row per action: what was asked of a tool, who decided what, how it ended, and did it run.
-- `decision` deny with `certainty` inferred rests on silence alone: its `outcome` stays unknown.
select
    nullif(a.machine, '') as machine_id, k.user_id, a.tool, a.session_id, a.call_id, a.agent_id,
    a.turn_id, a.action_name, a.action_native, a.command, a.file_path, a.url,
    coalesce(i.outcome, a.outcome) as outcome, a.exit_code, a.error_message, a.duration_ms,
    case when d.deny_id is not null then 'deny' when a.overridden then 'allow'
        when a.said is not null then a.said when a.asked and not a.is_unasked then 'ask' end as decision,
    case when d.deny_id is not null then d.denied_by when a.overridden then a.override_by
        else coalesce(
            a.said_by, a.changed_by,
            case when coalesce(i.outcome, a.outcome) = 'answered' then 'mod' end
        )
        end as decided_by,
    case when d.deny_id is not null then d.deny_reason else a.said_why end as decision_reason,
    case when d.deny_id is not null then d.deny_rule else a.said_rule end as matched_rule_id,
    case when d.deny_id is not null then d.deny_policy else a.said_policy end as policy_id,
    case when d.deny_id is not null then d.deny_engine else a.said_engine end as policy_engine,
    a.failure,
    case when d.deny_id is not null then d.sure
        when a.overridden or a.said is not null or (a.asked and not a.is_unasked)
            then coalesce(a.said_certainty, 'observed')
        when i.outcome is not null or a.outcome = 'answered' then 'inferred' end as certainty,
    a.evidence, a.witnesses,
    case when d.deny_id is not null and a.action_fingerprint is not null
        then r.deny_id is not null and r.is_sure end as executed_afterwards,
    a.first_at, a.last_at, a.sequence, a.action_category, a.action_fingerprint, a.mcp_server,
    a.permission_mode, a.cwd, a.repo, a.tool_version, a.model_id, a.input_tokens, a.output_tokens,
    a.risk_score, a.risk_factors, coalesce(a.secrets, []) as secrets,
    coalesce(w.words, a.command) as command_words,
    -- Columns that only questions need
    coalesce(w.effects, []) as effects, coalesce(p.about, []) as paths_about,
    coalesce(p.named, []) as paths_named, coalesce(p.patterns, []) as paths_patterns,
    coalesce(p.spelled, []) as paths_spelled,
    a.machine, a.call, a.instance, a.parent_session_id, a.first_place, a.last_place, a.has_before,
    a.has_after, a.ran, a.ran_place, a.denied, a.overridden, a.override_at, a.override_by,
    a.asked, a.is_unasked, a.ask_place, a.ask_at, a.ask_id, a.after_at, a.after_result, a.output_hash,
    a.before_id, d.deny_id, d.deny_place, d.deny_at, d.denied_by, d.deny_reason, d.deny_evidence,
    d.deny_policy, d.deny_severity, d.deny_subject, d.deny_point,
    -- What is known of the input that ran is more than what a guardian made of it.
    case
        when m.wanted is null then coalesce(a.modified, false)
        when d.deny_id is not null and not a.ran then false
        when a.ran and a.ran_fingerprint is not null
            then list_contains(m.wanted, a.ran_fingerprint) end as modified,
    case when a.asked_command <> a.command then a.asked_command end as requested_command,
    a.guardian, a.guardian_scope, h.held, h.held_evidence, h.held_certainty, a.answer_by,
    a.answer_evidence, a.answer_certainty, a.answer_at, a.denied_by_guardian,
    -- What the model got, where that is not what the tool gave.
    coalesce(a.told_output_hash, case when a.ran then a.undecided_hash end) as told_output_hash
from base.actions as a
join base.known as k
    on a.machine = k.machine and a.tool = k.tool and a.session_id = k.session_id
left join base.denied as d on a.machine = d.machine and a.tool = d.tool
    and a.session_id = d.session_id and a.call = d.call and a.instance = d.instance
left join (
    select
        machine, tool, session_id, call, instance, arg_min(held, nth) as held,
        arg_min(held_evidence, nth) as held_evidence,
        arg_min(held_certainty, nth) as held_certainty
    from (
        select *, row(list_position(
            ['ignored', 'asked_nobody', 'unknown', 'changed', 'held'], held
        ), event_id) as nth
        from base.held
    )
    group by all
) as h on a.machine = h.machine and a.tool = h.tool
    and a.session_id = h.session_id and a.call = h.call and a.instance = h.instance
left join (
    select p.machine, p.tool, p.session_id, p.call, p.instance, list(m.wanted) as wanted
    from base.changed_inputs as m
    join base.placed as p on m.machine = p.machine and m.about = p.event_id
    group by all
) as m on a.machine = m.machine and a.tool = m.tool
    and a.session_id = m.session_id and a.call = m.call and a.instance = m.instance
left join base.inside as i on a.machine = i.machine and a.tool = i.tool
    and a.session_id = i.session_id and a.call = i.call and a.instance = i.instance
left join base.ran_after as r on d.machine = r.machine and d.deny_id = r.deny_id
left join base.words as w on a.command = w.command
-- Of sessions with a refusal alone: the rows of one session depend on no other.
left join (select distinct machine, tool, session_id from base.denied) as s
    on a.machine = s.machine and a.tool = s.tool and a.session_id = s.session_id
left join base.paths as p on s.session_id is not null
    and a.command is not distinct from p.command
    and a.file_path is not distinct from p.file_path and a.cwd is not distinct from p.cwd
where a.has_before or a.has_after or a.denied or a.asked
