-- What every question is asked of. `events` (made by stream.py) holds each event id once; `stream`
-- leaves out second reports of one action and gives each row its place within its session: the
-- sequence (design 5.2), or where none was given (lines straight from a hook) the time it came.

create view stream as
select
    *,
    coalesce(sequence, epoch_us(coalesce(received_at, "timestamp"))) as place,
    coalesce(outcome, case when success then 'ok' when not success then 'error' end) as result
from events
where duplicate_of is null;

-- Rows that belong to a call.
create view call_events as
select
    tool, session_id, parent_session_id, call_id, event_id, event_type, "timestamp", place,
    coalesce(agent_id, '') as agent, coalesce(turn_id, '') as turn, about,
    action_name, action_category, action_native, action_fingerprint, command, file_path, url,
    mcp_server, permission_mode, cwd, result, exit_code, error_message, duration_ms, output_hash,
    output_length, decision, decision_reason, decided_by, decision_evidence, certainty, severity,
    matched_rule_id, policy_id, reported_by, failure, risk_score, native_event,
    event_type = 'Action.Before' as is_before,
    event_type = 'Action.After' as is_after,
    event_type = 'Policy.Blocked'
        or (decision = 'deny' and starts_with(event_type, 'Action.'))
        or (event_type = 'Action.After' and result = 'denied') as is_deny,
    notification_type = 'ToolPermission' as is_ask,
    -- An entry of a batch that does not say how its call ended.
    event_type = 'Action.After' and reported_by = 'batch' and result is null as is_open_entry
from stream
where starts_with(event_type, 'Action.')
    or event_type in ('Policy.Blocked', 'Policy.Override')
    or (notification_type = 'ToolPermission' and call_id is not null);

-- A vendor without call ids, read straight from its hook's lines, has none: there the n-th after
-- belongs to the n-th before of the same agent, tool and input. A table, filled from what the view
-- finds (`Stream.pair`), because every question about calls needs it and it is mostly empty.
create table paired (event_id varchar, before_id varchar);
create view found_pairs as
with without_id as (
    select
        event_id, is_before,
        hash(tool, session_id, agent, action_native, action_fingerprint) as same,
        row_number() over (
            partition by tool, session_id, agent, action_native, action_fingerprint, event_type
            order by place, event_id
        ) as number
    from call_events
    where call_id is null and (is_before or is_after)
)
select a.event_id, b.event_id as before_id
from without_id as a
join without_id as b on a.same = b.same and a.number = b.number and b.is_before
where not a.is_before;

create view call_rows as
select
    r.*, coalesce(r.call_id, 'event:' || coalesce(p.before_id, r.about, r.event_id)) as call
from call_events as r
left join paired as p on r.event_id = p.event_id;

-- Call ids used again in another turn or by another agent, as in a resumed session; filled likewise.
create table reused (tool varchar, session_id varchar, call varchar);
create view found_reused as
select tool, session_id, call
from call_rows
where is_before
group by all
having min(hash(turn, agent)) <> max(hash(turn, agent));

-- A call is (tool, session_id, call, instance): turn and agent where the id was used again.
create view placed as
select r.*, case when u.call is null then '' else r.turn || '/' || r.agent end as instance
from call_rows as r
left join reused as u on r.tool = u.tool and r.session_id = u.session_id and r.call = u.call;

-- One row a call, of the rows in a view like `placed`. Questions about few calls name a view that
-- holds the rows of those: that is what keeps them fast over millions.
create macro calls_of(row_source) as table
select
    *,
    case
        when ran then coalesce(after_result, 'unknown')
        when denied then 'denied'
        else coalesce(after_result, 'unknown')
    end as outcome
from (
    select
        tool, session_id, call, instance,
        any_value(call_id) as call_id,
        max(parent_session_id) as parent_session_id,
        arg_min(nullif(agent, ''), place) as agent_id,
        arg_min(nullif(turn, ''), place) as turn_id,
        min(place) as first_place,
        max(place) as last_place,
        coalesce(min("timestamp") filter (is_before), min("timestamp")) as first_at,
        max("timestamp") as last_at,
        arg_min(event_id, place) filter (is_before) as before_id,
        min(place) filter (is_before) as before_place,
        arg_min(action_name, place) as action_name,
        arg_min(action_category, place) as action_category,
        arg_min(action_native, place) as action_native,
        arg_min(action_fingerprint, place) as action_fingerprint,
        arg_min(command, place) as command,
        arg_min(file_path, place) as file_path,
        arg_min(url, place) as url,
        arg_min(mcp_server, place) as mcp_server,
        arg_min(permission_mode, place) as permission_mode,
        arg_min(cwd, place) as cwd,
        max(risk_score) as risk_score,
        bool_or(is_before) as has_before,
        bool_or(is_after) as has_after,
        -- An entry of a batch alone is a call that was refused or invalid: it never ran.
        coalesce(bool_or(
            is_after and result is distinct from 'denied' and reported_by is distinct from 'batch'
        ), false) as ran,
        arg_max(result, place) filter (is_after and result <> 'denied') as after_result,
        arg_max(exit_code, place) filter (is_after) as exit_code,
        arg_max(error_message, place) filter (is_after) as error_message,
        arg_max(duration_ms, place) filter (is_after) as duration_ms,
        arg_max(output_hash, place) filter (is_after) as output_hash,
        max(output_length) filter (is_after) as output_length,
        min("timestamp") filter (is_after) as after_at,
        arg_min(event_id, place) filter (is_open_entry) as entry_id,
        min(place) filter (is_open_entry) as entry_place,
        arg_min("timestamp", place) filter (is_open_entry) as entry_at,
        arg_min(native_event, place) filter (is_open_entry) as entry_native,
        coalesce(bool_or(is_after and not is_open_entry), false) as has_answer,
        coalesce(bool_or(is_deny), false) as denied,
        arg_min(event_id, place) filter (is_deny) as deny_id,
        min(place) filter (is_deny) as deny_place,
        arg_min("timestamp", place) filter (is_deny) as deny_at,
        arg_min(decided_by, place) filter (is_deny) as denied_by,
        arg_min(decision_reason, place) filter (is_deny) as deny_reason,
        arg_min(coalesce(decision_evidence, native_event), place) filter (is_deny) as deny_evidence,
        min(certainty) filter (is_deny) as deny_certainty,
        arg_min(matched_rule_id, place) filter (is_deny) as deny_rule,
        arg_min(policy_id, place) filter (is_deny) as deny_policy,
        arg_min(severity, place) filter (is_deny) as deny_severity,
        coalesce(bool_or(is_ask), false) as asked,
        min(place) filter (is_ask) as ask_place,
        arg_min("timestamp", place) filter (is_ask) as ask_at,
        arg_min(event_id, place) filter (is_ask) as ask_id,
        coalesce(bool_or(event_type = 'Policy.Override'), false) as overridden,
        arg_min("timestamp", place) filter (event_type = 'Policy.Override') as override_at,
        arg_min(decided_by, place) filter (event_type = 'Policy.Override') as override_by,
        arg_min(failure, place) as failure
    from query_table(row_source)
    group by all
);

create view calls as from calls_of('placed');

-- The rows of calls that somebody was asked about.
create view asked_rows as
from placed
semi join (select tool, session_id, call, instance from placed where is_ask) as asked
    using (tool, session_id, call, instance);

-- What of each session can be known: where absence is judged, presence must be possible.
create view captured as
select
    tool, session_id,
    max(parent_session_id) as parent_session_id,
    bool_or(
        event_type = 'Action.After' and duplicate_of is null
        and reported_by is distinct from 'batch'
    ) as has_after,
    bool_or(
        event_type = 'Action.After' and duplicate_of is null and outcome = 'ok'
        and reported_by is distinct from 'batch'
    ) as has_ok,
    bool_or(
        event_type = 'Action.After' and duplicate_of is null and outcome = 'error'
        and reported_by is distinct from 'batch'
    ) as has_failed,
    -- An entry of a batch whose call has its own after event is a duplicate.
    bool_or(reported_by = 'batch') as has_batch,
    max(coalesce(sequence, epoch_us(coalesce(received_at, "timestamp"))))
        filter (shows_progress) as went_on,
    max("timestamp") filter (shows_progress) as went_on_at
from (
    select
        *,
        duplicate_of is null and event_type in (
            'Prompt.Submitted', 'Agent.Response', 'Session.Start', 'Session.End', 'Session.Abort',
            'Agent.Plan.End', 'Model.Requested', 'Model.Responded', 'Model.Failed',
            'Context.Compaction'
        ) as shows_progress
    from events
)
group by tool, session_id;

-- The rows of calls that were denied or may have been.
create view suspect_rows as
from placed
semi join (
    select tool, session_id, call, instance
    from placed
    group by all
    having bool_or(is_deny)
        or (bool_or(is_before) and not bool_or(is_after and not is_open_entry))
) as suspect using (tool, session_id, call, instance);

-- Denied calls. Observed: an event says so, or the entry of a batch repeats a call that has a before
-- and no after event, in a session that shows after events of successes, and of failures too where
-- a failure would not say so in its text (the stages see that only from the session's first such
-- events on, a query sees all of it). Inferred (design 5.11): a before event and nothing
-- after it, in a session that went on, of a client that sends an after event for whatever ran and
-- nothing for what was refused. An interrupted call looks the same: that is why it is `inferred`.
--   copilot, gemini-cli, cline   a refusal leaves the before event alone
--   codex        shell only, or after a question: other tools, apply_patch too, leave nothing when
--                they fail; a shell line that is a patch is reported under its other name; without
--                a question the turn must go on, else it was interrupted, and soon: a command
--                that runs on in the background (after 10 s, if not told otherwise) is silent too
--   claude-code  after a question, or where no batch was captured: a batch names what was refused
-- Others show a refusal or prove nothing by silence (Cursor, Windsurf, OpenCode, OpenClaw, Qwen).
create view denied as
with
afters_of_tools as (
    select distinct tool, action_native from stream where event_type = 'Action.After'
),
tells_successes as (
    select distinct tool from stream
    where event_type = 'Action.After' and outcome = 'ok' and reported_by is distinct from 'batch'
),
tells_turns as (
    select distinct tool from stream where event_type in ('Agent.Response', 'Model.Requested')
),
known as materialized (from captured),
candidates as materialized (
    from calls_of('suspect_rows') where denied or (has_before and not has_answer)
),
unanswered as (
    select
        c.*,
        coalesce(s.has_ok and (s.has_failed or c.action_name = 'shell'), false) as is_sure
    from candidates as c
    join known as s on c.tool = s.tool and c.session_id = s.session_id
    where not c.denied and not c.overridden and c.has_before and c.entry_id is not null
        and s.has_after and c.tool in (from tells_successes)
),
-- Of clients whose turn goes on after a refusal: what came next of turns and of the session.
went_on_with as (
    select
        c.tool, c.session_id, c.call, c.instance, arg_min(s.event_type, s.place) as next_type
    from candidates as c
    join stream as s on c.tool = s.tool and c.session_id = s.session_id and s.place > c.last_place
    where c.tool in ('copilot', 'gemini-cli') and c.has_before and not c.has_after
        and not c.denied and not c.asked
        and c.tool in (from tells_turns)
        and s.event_type in (
            'Prompt.Submitted', 'Agent.Response', 'Model.Requested', 'Session.Start', 'Session.End',
            'Session.Abort'
        )
    group by all
),
silent as (
    select c.*
    from candidates as c
    join known as s on c.tool = s.tool and c.session_id = s.session_id
    -- A sub-agent's session may end without a word of its own: its parent goes on.
    left join known as p on s.tool = p.tool and s.parent_session_id = p.session_id
    left join afters_of_tools as t on c.tool = t.tool and c.action_native = t.action_native
    left join went_on_with as n on c.tool = n.tool and c.session_id = n.session_id
        and c.call = n.call and c.instance = n.instance
    where c.has_before and not c.has_after and not c.denied and not c.overridden
        and c.call_id is not null
        and (s.has_after or t.tool is not null)
        and (s.went_on > c.last_place or p.went_on_at > c.last_at)
        -- Nothing was refused where the program ended, or was started anew, before the turn went on.
        and not coalesce(n.next_type in ('Session.Start', 'Session.End', 'Session.Abort'), false)
        and case c.tool
            when 'copilot' then true
            when 'gemini-cli' then true
            when 'cline' then true
            when 'claude-code' then c.asked or not coalesce(s.has_batch, false)
            when 'codex' then c.asked or (
                c.action_category in ('shell', 'package_install')
                and not starts_with(ltrim(coalesce(c.command, '')), 'apply_patch')
                and exists (
                    from stream as later
                    where later.tool = c.tool and later.session_id = c.session_id
                        and later.turn_id = c.turn_id and later.place > c.last_place
                        and later.event_type in (
                            'Action.Before', 'Agent.Response', 'Agent.Plan.End', 'Model.Requested'
                        )
                        and later."timestamp" < c.last_at + interval 8 second
                )
            )
            else false
        end
),
rows_of_denies as (
    -- A refused prompt or answer is no action: it is a row of `decisions`.
    select *, coalesce(deny_certainty, 'observed') as certainty
    from candidates
    where denied and (has_before or has_after or call_id is not null or action_name is not null)
    union all
    select
        * exclude (is_sure) replace (
            entry_id as deny_id, entry_place as deny_place, entry_at as deny_at,
            entry_native || ' without an after event' as deny_evidence
        ),
        case when is_sure then 'observed' else 'inferred' end as certainty
    from unanswered
    union all
    select
        * replace (
            before_id as deny_id, before_place as deny_place, first_at as deny_at,
            case when asked then 'a question and no after event' else 'no after event' end
                as deny_evidence
        ),
        'inferred' as certainty
    from silent
),
last_ran as (
    select tool, session_id, action_fingerprint, max(place) as ran_place
    from stream
    semi join candidates using (tool, session_id, action_fingerprint)
    where event_type = 'Action.After' and result is distinct from 'denied'
        and reported_by is distinct from 'batch'
    group by all
)
select
    d.deny_at as "timestamp", d.*, r.ran_place,
    case when d.action_fingerprint is not null
        then coalesce(r.ran_place > d.deny_place, false)
    end as executed_afterwards
from rows_of_denies as d
left join last_ran as r
    on d.tool = r.tool and d.session_id = r.session_id
    and d.action_fingerprint = r.action_fingerprint;

-- One row a compaction: what announced it, the session's start after it and what closed it, joined
-- in order. An announcement alone is one that did not come about, once the session has ended; but
-- Copilot, Gemini CLI and Cursor send nothing after any: there it stays unconfirmed.
create view compacted as
with
phases as (
    select
        tool, session_id, coalesce(agent_id, '') as agent, place, event_id, "timestamp",
        context_phase, context_trigger, tokens_before, tokens_after, tokens_removed, certainty,
        native_event,
        count(*) filter (context_phase = 'before') over (
            partition by tool, session_id, coalesce(agent_id, '')
            order by place, event_id
        ) as opened
    from stream
    where event_type = 'Context.Compaction'
),
numbered as (
    select
        *,
        row_number() over (
            partition by tool, session_id, agent, opened, context_phase order by place, event_id
        ) as number
    from phases
),
joined as (
    select
        tool, session_id, agent,
        min(place) as first_place, max(place) as last_place,
        arg_min("timestamp", place) as "timestamp",
        arg_min(event_id, place) as event_id,
        arg_min(context_trigger, place) as "trigger",
        max(tokens_before) as tokens_before,
        max(tokens_after) as tokens_after,
        max(tokens_removed) as tokens_removed,
        bool_or(context_phase is distinct from 'before') as has_more,
        bool_or(
            context_phase is distinct from 'before' and context_phase is distinct from 'restarted'
        ) as has_post,
        bool_or(certainty = 'observed') as said_observed
    from numbered
    group by tool, session_id, agent, opened, number
),
ended as (
    select
        tool, session_id,
        max(place) filter (event_type in ('Session.End', 'Session.Abort')) as end_place
    from stream
    group by all
)
select
    j.tool, j.session_id, nullif(j.agent, '') as agent_id, j.event_id, j."timestamp",
    j."trigger", j.tokens_before, j.tokens_after,
    coalesce(j.tokens_removed, j.tokens_before - j.tokens_after) as tokens_removed,
    case
        when j.has_more then true
        when j.tool in ('copilot', 'gemini-cli', 'cursor') then
            case when j."trigger" = 'manual' then true end
        when e.end_place > j.last_place then false
    end as completed,
    case
        when j.has_more then 'completed'
        when j.tool in ('copilot', 'gemini-cli', 'cursor') then 'unconfirmed'
        when e.end_place > j.last_place then 'not_completed'
        else 'open'
    end as "end",
    case
        when j.has_post or j.said_observed or j.tokens_after < j.tokens_before then 'observed'
        when j."trigger" = 'manual' and "end" <> 'not_completed' then 'observed'
        else 'inferred'
    end as certainty,
    j.first_place, j.last_place
from joined as j
join ended as e on j.tool = e.tool and j.session_id = e.session_id;

-- The rows of calls whose action was tried often enough in its session to be a loop.
create view frequent_rows as
from placed
semi join (
    select distinct p.tool, p.session_id, p.call
    from placed as p
    semi join (
        select tool, session_id, action_fingerprint
        from call_rows
        where action_fingerprint is not null
        group by all
        having count(distinct call) >= 3
    ) as tried using (tool, session_id, action_fingerprint)
) as frequent using (tool, session_id, call);

-- Retry loops (design 7), counted from what the columns say. An attempt is a call; a run of them
-- under one key (session, agent, turn, fingerprint) ends with a success, which is still an attempt.
-- Of calls that one of N agents made (`one-of-N-...`) is counted what one of them made at least.
create view looped as
with
attempts as (
    select
        tool, session_id, coalesce(agent_id, '') as agent, coalesce(turn_id, '') as turn,
        action_fingerprint, action_name, command, outcome, output_hash,
        first_place, last_place, first_at, last_at, call,
        coalesce(
            try_cast(nullif(regexp_extract(agent_id, '^one-of-([1-9]\d{0,2})-', 1), '') as int), 1
        ) as agents
    from calls_of('frequent_rows')
    where action_fingerprint is not null and (has_before or has_after or denied)
),
often as (
    select tool, session_id, agent, turn, action_fingerprint
    from attempts
    group by all
    having count(*) filter (outcome in ('error', 'timeout', 'denied')) > 2 * max(agents)
        or count(*) filter (outcome = 'ok') > 7 * max(agents)
),
in_order as (
    select
        a.*,
        count(*) filter (outcome = 'ok') over before_this as successes,
        outcome in ('ok', 'error', 'timeout', 'denied') as is_decided,
        outcome = 'ok'
            and lag(case when is_decided then outcome end ignore nulls) over by_key = 'ok'
            and output_hash
                = lag(case when is_decided then output_hash end ignore nulls) over by_key
            as is_unchanged
    from attempts as a
    semi join often using (tool, session_id, agent, turn, action_fingerprint)
    window
        by_key as (
            partition by tool, session_id, agent, turn, action_fingerprint
            order by first_place, call
        ),
        before_this as (
            partition by tool, session_id, agent, turn, action_fingerprint
            order by first_place, call rows between unbounded preceding and 1 preceding
        )
),
islands as (
    select
        *,
        count(*) filter (is_decided and not coalesce(is_unchanged, false)) over (
            partition by tool, session_id, agent, turn, action_fingerprint
            order by first_place, call
        ) as island
    from in_order
),
failing as (
    select
        tool, session_id, agent, turn, action_fingerprint,
        any_value(action_name) as action_name, arg_min(command, first_place) as command,
        case when 2 * count(*) filter (outcome = 'denied')
            > count(*) filter (outcome in ('error', 'timeout', 'denied'))
        then 'denied' else 'failing' end as kind,
        cast(ceil(count(*) / max(agents)) as bigint) as attempts,
        cast(
            ceil(count(*) filter (outcome in ('error', 'timeout', 'denied')) / max(agents))
            as bigint
        ) as failures,
        min(first_place) as first_place, max(last_place) as last_place,
        min(first_at) as first_at, max(last_at) as last_at,
        bool_or(outcome = 'ok') as closed
    from islands
    group by tool, session_id, agent, turn, action_fingerprint, successes
    having failures >= 3
),
unchanged as (
    select
        tool, session_id, agent, turn, action_fingerprint,
        any_value(action_name) as action_name, arg_min(command, first_place) as command,
        'unchanged' as kind,
        cast(ceil(count(*) / max(agents)) as bigint) as attempts, 0 as failures,
        min(first_place) as first_place, max(last_place) as last_place,
        min(first_at) as first_at, max(last_at) as last_at, false as closed
    from islands
    group by tool, session_id, agent, turn, action_fingerprint, island
    having count(*) filter (outcome = 'ok') > 7 * max(agents)
),
found as (from failing union all from unchanged),
followed as (
    select
        f.tool, f.session_id, f.agent, f.turn, f.action_fingerprint, f.first_place,
        arg_min(s.event_type, s.place) as next_type
    from found as f
    join stream as s on s.tool = f.tool and s.session_id = f.session_id
        and s.place > f.last_place
        and s.event_type in ('Prompt.Submitted', 'Session.End', 'Session.Abort')
    group by all
)
select
    f.tool, f.session_id, nullif(f.agent, '') as agent_id, f.action_name,
    f.action_fingerprint as fingerprint, f.kind, f.attempts, f.failures, f.first_at, f.last_at,
    date_diff('millisecond', f.first_at, f.last_at) as elapsed_ms,
    not f.closed and coalesce(n.next_type in ('Session.End', 'Session.Abort'), false) as aborted,
    nullif(f.turn, '') as turn_id, f.command, f.first_place, f.last_place
from found as f
left join followed as n
    on f.tool = n.tool and f.session_id = n.session_id and f.agent = n.agent and f.turn = n.turn
    and f.action_fingerprint = n.action_fingerprint and f.first_place = n.first_place;
