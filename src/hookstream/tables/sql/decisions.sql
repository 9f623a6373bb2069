-- Each decision that was recorded, and each that a guard failed to give.
select
    d."timestamp", d.tool, d.session_id, call_id, d.event_id, about, decision, modified, decided_by,
    decision_reason, decision_evidence, certainty, category, severity, matched_rule_id, policy_id,
    policy_version, policy_engine, failure,
    coalesce(c.action_name, d.action_name) as action_name,
    coalesce(c.action_native, d.action_native) as action_native,
    coalesce(c.command, d.command) as command, coalesce(c.file_path, d.file_path) as file_path,
    coalesce(c.url, d.url) as url, event_type, native_event, agent_id, turn_id,
    coalesce(c.risk_score, d.risk_score) as risk_score, machine_id, user_id, subject,
    point as hook_point, enforced, guardian, input_hash, modified_input_hash, changed_paths, d.machine,
    d.place, h.held, h.held_evidence, h.held_certainty, h.outcome
from (
    select *, case witness when 'mod' then 0 when 'transcript' then 1 when 'telemetry' then 3 else 2
        end as believed
    from base.decided
) as d
left join base.held as h on d.machine = h.machine and d.event_id = h.event_id
-- A result that names no tool has what its call was about, which another file may hold.
left join (
    select
        p.event_id, p.place, a.machine, a.action_name, a.action_native, a.command, a.file_path,
        a.url, a.risk_score
    from base.placed as p
    join base.actions as a using (machine, tool, session_id, call, instance)
    where p.action_native is null
) as c on d.machine = c.machine and d.event_id = c.event_id and d.place = c.place
-- What several witnesses report of a call is one verdict; a guard's own is separate.
qualify d.guardian is not null or d.call_id is null or d.believed = arg_min(
    d.believed, (d.certainty = 'inferred', d.decided_by is null, d.believed)
) over (partition by d.machine, d.tool, d.session_id, d.call_id, d.decision, d.guardian)
