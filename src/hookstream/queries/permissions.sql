-- Who let calls run or refused them, by tool and what they did: for the tuning of a configuration.
-- by: machine
-- keys: finding tool action_name target decided_by rule
-- shows: finding tool action_name target decided_by rule machines calls asked approved refused ran sessions
-- always_approved, always_refused: at least three questions with one answer, a rule would spare
-- them. rule_matched: what a rule decided. ran_unasked: ran by mode or by the client's own
-- judgement, no person was asked. not_told: no witness says who decided (decided_by is null); hooks
-- alone mostly do not, session files do. rule_never_matched: a rule in this machine's settings
-- (its `answer` and `file`) that no call of this machine met in that time; computed from the calls,
-- as clients do not record which rules they tried; a rule in doubt counts as met.
with
told as (
    select
        machine_id, user_id, tool, session_id, action_name, first_at, last_at, call_id,
        coalesce(
            nullif(concat_ws(
                ' ', split_part(trim(command_words), ' ', 1),
                case when regexp_matches(
                    split_part(trim(command_words), ' ', 2), '^[a-z][a-z0-9-]*$'
                ) then split_part(trim(command_words), ' ', 2) end
            ), ''),
            mcp_server, action_native
        ) as target,
        case when decided_by = 'user' or asked then true else false end as was_asked,
        decision, decided_by, coalesce(matched_rule_id, policy_id) as rule, ran,
        outcome = 'denied' or decision = 'deny' as was_refused,
        date_diff('millisecond', ask_at, coalesce(override_at, deny_at, after_at)) as waited_ms
    from derived.calls
    where heard(first_at, session_id) and certainty is distinct from 'inferred'
),
grouped as (
    select
        tool, action_name, target, decided_by, rule,
        by_machine(machine_id) as machine_id, by_machine(user_id) as user_id,
        count(distinct machine_id) as machines, count(distinct user_id) as users,
        count(*) as calls,
        count(*) filter (was_asked) as asked,
        count(*) filter (was_asked and not was_refused and ran) as approved,
        count(*) filter (was_refused) as refused,
        count(*) filter (ran) as ran,
        -- by digests: counting the ids costs as much as all the rest
        cast(list_unique(list(hash(machine_id, session_id))) as bigint) as sessions,
        cast(median(waited_ms) filter (was_asked) as bigint) as waited_ms,
        min(first_at) as first_seen, max(last_at) as last_seen
    from told
    group by all
)
select
    case
        when asked >= 3 and approved = asked and refused = 0 then 'always_approved'
        when asked >= 3 and approved = 0 and refused = asked then 'always_refused'
        when asked > 0 then 'asked'
        when decided_by = 'rule' then 'rule_matched'
        when refused > 0 then 'refused'
        when decided_by in ('mode', 'client', 'classifier') then 'ran_unasked'
        when decided_by is null then 'not_told'
        else 'decided'
    end as finding,
    tool, action_name, target, decided_by, rule, calls, asked, approved, refused, ran, sessions,
    waited_ms, first_seen, last_seen, machines, users, machine_id, user_id,
    null as answer, null as file
from grouped
union all by name
select 'rule_never_matched' as finding, tool, 'rule' as decided_by, rule, 0 as calls, answer, file
from unmatched_rules
order by finding, calls desc, tool, action_name, target, decided_by, rule, machine_id, user_id
