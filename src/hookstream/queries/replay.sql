-- Step by step: which guardian decided what on which input, what that came to, and what then ran.
-- wants: session
-- shows: step hook_point action_name what guardian decision merged_decision ran failure policy_id policy_version changed_paths
-- One row a guardian's answer (or failure to answer); a step is one call, prompt, answer, memory or
-- other thing that was decided on. what: the command, path or address, or the native name of a tool
-- that is not known. input_hash: what the guardian was given, modified_input_hash and
-- changed_paths: what it made of it. merged_decision: what all answers of the step come to (any deny
-- is a deny; `calls` says it of an action). ran: original, modified, other (an input that no guardian
-- had seen), nothing, or unknown where no result arrived; ran_certainty is observed where a result
-- shows its input, else inferred from the answers; ran_input_hash and ran_changed_paths say what it
-- was. Digests are those of `prompt_hash` and of the input as hash mode writes it.
with
verdicts as (
    select
        *,
        case when subject = 'action' and call_id is not null then 'call ' || call_id
            else 'event ' || coalesce(about, event_id) end as key
    from derived.decisions
    where about is not null or decision is not null or failure is not null
),
modifications as (
    select
        coalesce(machine_id, '') as machine, tool, session_id, call_id, about, guardian, place,
        action_fingerprint, input_hash, modified_input_hash, changed_paths
    from stream
    where hook_point = 'PreToolInputModification' and modified
),
-- Of several guardians the last one's event holds what all of them made of the input.
merged as (
    select
        machine, tool, session_id, call_id,
        arg_max(action_fingerprint, place) as fingerprint,
        arg_max(modified_input_hash, place) as modified_input_hash,
        string_agg(distinct changed_paths, ', ' order by changed_paths) as changed_paths
    from modifications
    where call_id is not null
    group by all
),
befores as (
    select
        coalesce(machine_id, '') as machine, tool, session_id, call_id,
        arg_min(action_fingerprint, place) as fingerprint
    from stream
    where event_type = 'Action.Before' and call_id is not null
    group by all
),
results as (
    select
        coalesce(machine_id, '') as machine, tool, session_id, call_id,
        arg_max(action_fingerprint, place) as fingerprint,
        not bool_or(list_contains(synthesized, 'input')) as shows_input
    from stream
    where event_type = 'Action.After' and call_id is not null and outcome is distinct from 'denied'
    group by all
),
steps as (
    select
        machine, tool, session_id, key,
        min(v.place) as place,
        case
            when bool_or(decision = 'deny' and enforced is distinct from false) then 'deny'
            when bool_or(decision = 'ask') then 'ask'
            when bool_or(decision = 'allow') then 'allow'
            when bool_or(decision = 'deny') then 'deny'
        end as decision,
        coalesce(bool_or(modified), false) as modified,
        bool_and(enforced is distinct from true) as is_unenforced,
        arg_max(modified_input_hash, v.place) as modified_input_hash,
        string_agg(distinct changed_paths, ', ' order by changed_paths) as changed_paths
    from verdicts as v
    group by machine, tool, session_id, key
),
joined as (
    select
        v.*, s.place as step_place,
        coalesce(c.decision, s.decision) as merged_decision,
        coalesce(v.modified_input_hash, o.modified_input_hash) as own_modified_hash,
        coalesce(v.changed_paths, o.changed_paths) as own_changed_paths,
        coalesce(v.input_hash, o.input_hash) as own_input_hash,
        coalesce(m.modified_input_hash, s.modified_input_hash) as all_modified_hash,
        coalesce(m.changed_paths, s.changed_paths) as all_changed_paths,
        s.modified or m.fingerprint is not null as was_modified,
        s.is_unenforced, c.ran as call_ran, c.outcome,
        r.fingerprint as ran_fingerprint, r.shows_input,
        b.fingerprint as before_fingerprint, m.fingerprint as modified_fingerprint
    from verdicts as v
    join steps as s using (machine, tool, session_id, key)
    left join modifications as o on v.machine = o.machine and v.about = o.about
        and v.guardian is not distinct from o.guardian and v.modified
    left join derived.calls as c on v.subject = 'action' and v.machine = coalesce(c.machine_id, '')
        and v.tool = c.tool and v.session_id = c.session_id and v.call_id = c.call_id
        and (c.before_id = v.about or list_contains(c.evidence, v.event_id))
    left join merged as m on v.subject = 'action' and v.machine = m.machine and v.tool = m.tool
        and v.session_id = m.session_id and v.call_id = m.call_id
    left join befores as b on v.subject = 'action' and v.machine = b.machine and v.tool = b.tool
        and v.session_id = b.session_id and v.call_id = b.call_id
    left join results as r on v.subject = 'action' and v.machine = r.machine and v.tool = r.tool
        and v.session_id = r.session_id and v.call_id = r.call_id
    qualify row_number() over (partition by v.machine, v.event_id order by o.place, c.sequence) = 1
),
judged as (
    select
        *,
        case
            when subject = 'action' and call_ran then case
                when not was_modified then 'original'
                when ran_fingerprint is null then 'unknown'
                when ran_fingerprint = modified_fingerprint then 'modified'
                when ran_fingerprint = before_fingerprint then 'original'
                else 'other'
            end
            when merged_decision = 'deny' and not is_unenforced then 'nothing'
            when subject = 'action' or merged_decision is null or merged_decision = 'ask' then 'unknown'
            when was_modified then 'modified'
            else 'original'
        end as ran
    from joined
)
select
    dense_rank() over (partition by machine, tool, session_id order by step_place, key) as step,
    "timestamp", tool, session_id, subject, hook_point, action_name, action_native,
    coalesce(command, file_path, url, case when action_name = 'other' then action_native end) as what,
    call_id, guardian, decided_by, decision, modified,
    decision_reason, policy_id, policy_version, policy_engine, matched_rule_id, failure, enforced,
    own_input_hash as input_hash, own_modified_hash as modified_input_hash,
    own_changed_paths as changed_paths, merged_decision, was_modified as merged_modified, ran,
    case
        when ran = 'unknown' then null
        when subject = 'action' and call_ran and shows_input and ran_fingerprint is not null
            then 'observed'
        else 'inferred'
    end as ran_certainty,
    case ran when 'original' then own_input_hash when 'modified' then all_modified_hash end
        as ran_input_hash,
    case when ran = 'modified' then all_changed_paths end as ran_changed_paths,
    outcome, about, event_id, machine_id, user_id
from judged
order by machine, tool, session_id, step_place, key, place, event_id
