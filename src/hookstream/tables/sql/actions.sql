-- One row per call, from all facts of its rows. The meaning of silence is not in it yet.
with placed as materialized (
    -- Among rows with the same place a hash of all their values decides, not the order of the
    -- parts.
    select
        p.*, cast(p.place as hugeint) * 18446744073709551616 + hash(*columns(p.*)) as nth,
        -- Whose account of a call's input is what ran, best first, and whose what was asked for:
        -- functions inside a client may rewrite it before any hook is asked, and hooks after that.
        case
            when p.reported_by = 'batch' then null
            when p.witness = 'mod' then case when p.is_after then 1 end
            when p.witness in ('hook', 'wrap', 'callback') then case when p.is_after then 2 else 3 end
            -- Longer values are cut there.
            when p.witness = 'telemetry' and k.has_mods and coalesce(length(p.command), 0) < 500
                then case when p.is_after then 4 else 5 end
        end as ran_rank,
        case
            when k.has_mods and p.witness = 'transcript' then 1
            when k.has_mods and p.reported_by = 'batch' then 2
            -- One that is not the first sees what those before it made of the call.
            when p.witness = 'mod' then case when p.is_before then 3 end
            when p.witness in ('hook', 'wrap', 'callback') and p.is_before then 4
        end as ask_rank,
        coalesce(p.result not in ('denied', 'answered', 'cancelled'), true) as shows_run,
        p.witness in ('hook', 'wrap', 'callback', 'telemetry')
            and p.reported_by is distinct from 'batch' and (p.is_before or p.is_after) as is_entered
    from base.placed as p
    left join base.capabilities as k on p.tool = k.tool
),
common as (
    select
        machine, tool, session_id, call, instance,
        any_value(call_id) as call_id,
        max(parent_session_id) as parent_session_id,
        arg_min(nullif(agent, ''), nth) as agent_id,
        arg_min(nullif(turn, ''), nth) as turn_id,
        min(sequence) as sequence,
        min(place) as first_place,
        max(place) as last_place,
        coalesce(min("timestamp") filter (is_before), min("timestamp")) as first_at,
        max("timestamp") as last_at,
        list(event_id order by nth) as evidence,
        list_sort(list(distinct witness)) as witnesses,
        arg_min(event_id, nth) filter (is_before) as before_id,
        min(place) filter (is_before) as before_place,
        -- A result that names no tool may come before the event that does.
        coalesce(
            arg_min(action_name, nth) filter (action_native is not null), arg_min(action_name, nth)
        ) as action_name,
        coalesce(
            arg_min(action_category, nth) filter (action_native is not null),
            arg_min(action_category, nth)
        ) as action_category,
        arg_min(action_native, nth) as action_native,
        coalesce(
            arg_min(action_fingerprint, (ran_rank, nth)) filter (ran_rank is not null),
            arg_min(action_fingerprint, nth)
        ) as action_fingerprint,
        coalesce(
            arg_min(command, (ran_rank, nth)) filter (ran_rank is not null), arg_min(command, nth)
        ) as command,
        -- A session file repeats with a result what was asked for.
        arg_min(own_fingerprint, (ran_rank, nth)) filter (is_after and ran_rank is not null)
            as ran_fingerprint,
        arg_min(command, (ask_rank, nth)) filter (ask_rank is not null) as asked_command,
        coalesce(
            arg_min(file_path, (ran_rank, nth)) filter (ran_rank is not null),
            arg_min(file_path, nth)
        ) as file_path,
        coalesce(arg_min(url, (ran_rank, nth)) filter (ran_rank is not null), arg_min(url, nth))
            as url,
        arg_min(mcp_server, nth) as mcp_server,
        arg_min(permission_mode, nth) as permission_mode,
        arg_min(cwd, nth) as cwd,
        arg_min(repo, nth) as repo,
        max(tool_version) as tool_version,
        arg_max(model_id, nth) as model_id,
        max(input_tokens) as input_tokens,
        max(output_tokens) as output_tokens,
        max(risk_score) as risk_score,
        coalesce(
            arg_max(risk_factors, (risk_score, nth)) filter (risk_score is not null), []
        ) as risk_factors,
        list_sort(list_distinct(flatten(list(secrets) filter (len(secrets) > 0)))) as secrets,
        bool_or(is_before) as has_before,
        -- Its hooks or its telemetry show that the call came past the functions inside the client.
        bool_or(is_entered) as is_entered,
        bool_or(is_after) as has_after,
        -- An entry of a batch alone is a call that was refused or invalid: it never ran.
        coalesce(bool_or(
            is_after and shows_run and reported_by is distinct from 'batch' and not is_undecided
        ), false) as has_run,
        -- Some clients report what a guardian refused as a call that failed: a result or a status
        -- shows that it ran.
        coalesce(bool_or(
            is_after and shows_run and reported_by is distinct from 'batch' and not is_undecided
            and (result in ('ok', 'timeout') or exit_code is not null)
        ), false) as has_surely_run,
        arg_max(result, (reported_by is distinct from 'batch', nth)) filter (
            is_after and result <> 'denied'
        ) as after_result,
        arg_max(exit_code, nth) filter (is_after) as exit_code,
        arg_max(error_message, nth) filter (is_after) as error_message,
        arg_max(duration_ms, nth) filter (is_after) as duration_ms,
        coalesce(
            arg_max(output_hash, nth) filter (
                is_after and reported_by is distinct from 'batch' and not is_undecided
            ),
            arg_max(output_hash, nth) filter (is_after)
        ) as output_hash,
        arg_min(told_output_hash, nth) as told_output_hash,
        arg_min(output_hash, nth) filter (is_undecided) as undecided_hash,
        bool_or(is_undecided) as is_undecided,
        arg_min(guardian, nth) as guardian,
        arg_min(guardian_scope, nth) as guardian_scope,
        arg_min(decided_by, nth) filter (decided_by = 'mod' and is_after) as changed_by,
        max(output_length) filter (is_after) as output_length,
        min("timestamp") filter (is_after) as after_at,
        max(place) filter (
            is_after and shows_run and reported_by is distinct from 'batch' and not is_undecided
        ) as ran_place,
        coalesce(bool_or(is_after and not is_open_entry and not is_undecided), false) as has_answer
    from placed
    group by machine, tool, session_id, call, instance
),
-- Few rows have values for these: they are queried separately.
rare as (
    select
        machine, tool, session_id, call, instance,
        arg_min(event_id, nth) filter (is_open_entry) as entry_id,
        bool_or(event_type = 'Policy.Blocked' and is_deny and action_native is null)
            as is_refused_apart,
        min(place) filter (is_open_entry) as entry_place,
        arg_min("timestamp", nth) filter (is_open_entry) as entry_at,
        arg_min(native_event, nth) filter (is_open_entry) as entry_native,
        arg_min(decision_evidence, nth) filter (is_open_entry) as entry_evidence,
        arg_min(certainty, nth) filter (is_open_entry) as entry_certainty,
        arg_min(decision_reason, nth) filter (is_open_entry) as entry_reason,
        bool_or(is_deny and is_by_exclusion is distinct from true) as denied_surely,
        bool_or(is_deny) as denied_at_all,
        -- A guard's own report says most, and may come after the client's of the same refusal.
        arg_min(event_id, deny_nth) filter (is_deny) as deny_id,
        min(place) filter (is_deny) as deny_place,
        arg_min("timestamp", nth) filter (is_deny) as deny_at,
        arg_min(decided_by, deny_nth) filter (is_deny) as denied_by,
        arg_min(decision_reason, deny_nth) filter (is_deny) as deny_reason,
        arg_min(coalesce(decision_evidence, native_event), deny_nth) filter (is_deny) as deny_evidence,
        min(certainty) filter (is_deny) as deny_certainty,
        arg_min(matched_rule_id, deny_nth) filter (is_deny) as deny_rule,
        arg_min(policy_id, deny_nth) filter (is_deny) as deny_policy,
        arg_min(policy_engine, deny_nth) filter (is_deny) as deny_engine,
        arg_min(severity, deny_nth) filter (is_deny) as deny_severity,
        arg_min(subject, deny_nth) filter (is_deny) as deny_subject,
        arg_min(point, deny_nth) filter (is_deny) as deny_point,
        bool_or(is_ask) as asked,
        -- A client's own question before the answer of a guardian that wanted it.
        coalesce(min(place) filter (is_question), min(place) filter (is_ask)) as ask_place,
        coalesce(
            arg_min("timestamp", nth) filter (is_question), arg_min("timestamp", nth) filter (is_ask)
        ) as ask_at,
        coalesce(
            arg_min(event_id, nth) filter (is_question), arg_min(event_id, nth) filter (is_ask)
        ) as ask_id,
        bool_or(event_type = 'Policy.Override') as overridden,
        arg_min("timestamp", nth) filter (event_type = 'Policy.Override') as override_at,
        arg_min(decided_by, nth) filter (event_type = 'Policy.Override') as override_by,
        -- Of several the strictest, except that an ask is answered by the user's allow.
        arg_min(decision, (rank, nth)) filter (rank is not null) as said,
        arg_min(decided_by, (rank, nth)) filter (rank is not null) as said_by,
        arg_min(decision_reason, (rank, nth)) filter (rank is not null) as said_why,
        arg_min(matched_rule_id, (rank, nth)) filter (rank is not null) as said_rule,
        arg_min(policy_id, (rank, nth)) filter (rank is not null) as said_policy,
        arg_min(policy_engine, (rank, nth)) filter (rank is not null) as said_engine,
        arg_min(certainty, (rank, nth)) filter (rank is not null) as said_certainty,
        bool_or(is_question) as questioned,
        bool_or(is_question and witness = 'transcript') as questioned_in_file,
        -- Whoever answered a question: a verdict does not answer itself.
        arg_min(decided_by, nth) filter (is_answer) as answer_by,
        arg_min(coalesce(decision_evidence, native_event), nth) filter (is_answer)
            as answer_evidence,
        arg_min(coalesce(certainty, 'observed'), nth) filter (is_answer) as answer_certainty,
        arg_min("timestamp", nth) filter (is_answer) as answer_at,
        bool_or(is_deny and guardian is not null) as denied_by_guardian,
        bool_or(is_deny and (guardian is not null or (
            is_by_exclusion is distinct from true and certainty is distinct from 'inferred'
        ))) as seen_denied,
        -- Of several guardians the one whose word was the strongest.
        coalesce(
            arg_min({'name': guardian, 'scope': guardian_scope}, nth)
                filter (is_deny and guardian is not null),
            arg_min({'name': guardian, 'scope': guardian_scope}, (rank, nth))
                filter (rank is not null and guardian is not null)
        ) as decider,
        bool_or(is_deny and guardian is null) as shown_denied,
        bool_or(is_guards_ask) as asked_by_guardian,
        arg_min(decision_reason, nth) filter (is_guards_ask) as guardian_asked_why,
        bool_or(is_saying and decision in ('allow', 'ask') and modified) as modified,
        arg_min(failure, nth) as failure
    from (
        select *, (guardian is null, nth) as deny_nth,
            case when is_saying then case
                when decision = 'allow' and decided_by = 'user' then 1
                when decision = 'ask' then 2 when decision = 'allow' then 3 end
            end as rank,
            -- Telemetry does not name it.
            is_of_call and decision = 'ask' and (guardian is not null or decided_by = 'hook')
                as is_guards_ask,
            is_saying and decision = 'allow' and (
                (guardian is null and decided_by <> 'hook')
                or about in (select event_id from base.call_events where is_question)
            ) as is_answer
        from placed
        where is_deny or is_ask or is_open_entry or decision is not null or failure is not null
    )
    group by machine, tool, session_id, call, instance
)
select
    * exclude (is_let) replace (
        case when ran then ran_place end as ran_place,
        -- A question that holds its call was answered if that ran, and only a person answers where
        -- one attends.
        case when is_let then 'user' else answer_by end as answer_by,
        case when is_let then 'ran after a question' else answer_evidence end as answer_evidence,
        case when is_let then 'inferred' else answer_certainty end as answer_certainty
    ),
    case
        when ran then coalesce(after_result, 'unknown')
        when denied then 'denied'
        else coalesce(after_result, 'unknown')
    end as outcome
from (
    select
        c.* exclude (has_run, has_surely_run) replace (
            -- A refusal in another file than its call is one more factor, as next to it; there the
            -- call's mode is not one.
            case when r.is_refused_apart and not list_has_any(
                c.risk_factors, ['DENIED', 'BYPASS_MODE']
            ) then least(100, c.risk_score + 5) else c.risk_score end as risk_score,
            case when r.is_refused_apart and not list_contains(c.risk_factors, 'DENIED')
                then list_sort(list_append(c.risk_factors, 'DENIED')) else c.risk_factors end as risk_factors,
            coalesce(r.decider.name, c.guardian) as guardian,
            case when r.decider is null then c.guardian_scope else r.decider.scope end
                as guardian_scope
        ),
        -- Of a call that was seen refused a bare failure is the refusal.
        case when r.seen_denied then c.has_surely_run else c.has_run end as ran,
        r.* exclude (
            machine, tool, session_id, call, instance, denied_surely, denied_at_all,
            asked_by_guardian, guardian_asked_why, questioned_in_file, is_refused_apart, decider
        ) replace (
            coalesce(r.asked, false) as asked, coalesce(r.overridden, false) as overridden,
            -- Clients word a guardian's ask that they refuse without a question like its deny, and
            -- so the no of a program, which may be asked where no person attends.
            case
                when r.denied_by = 'hook' and r.asked_by_guardian and not r.denied_by_guardian
                    then case
                        when coalesce(
                            ends_with(r.guardian_asked_why, r.deny_reason)
                            -- The first line of a reason, or its beginning.
                            or split_part(trim(r.guardian_asked_why), chr(10), 1) = r.deny_reason
                            or (length(r.deny_reason) > 200 and starts_with(
                                r.guardian_asked_why, rtrim(r.deny_reason, '.')
                            )),
                            true
                        )
                            then 'client'
                        when s.is_attended is distinct from false then r.denied_by end
                else r.denied_by
            end as denied_by
        ),
        coalesce(r.denied_surely or (r.denied_at_all and not ran), false) as denied,
        s.is_attended,
        coalesce(
            r.answer_by is null and r.questioned and ran and s.is_attended and k.waits_for_answer,
            false
        ) as is_let,
        coalesce(
            r.questioned and not r.questioned_in_file and r.answer_by is null
                and r.asked_by_guardian is distinct from true
                and list_contains(c.witnesses, 'transcript')
                and c.permission_mode = k.unasked_mode,
            false
        ) as is_unasked
    from common as c
    left join rare as r using (machine, tool, session_id, call, instance)
    left join base.attended as s using (machine, tool, session_id)
    left join base.capabilities as k on c.tool = k.tool
)
