-- What can be known of each session: if absence is judged, presence must be possible.
select
    machine, tool, session_id,
    max(user_id) as user_id,
    coalesce(max(parent_session_id), any_value(started_by)) as parent_session_id,
    coalesce(bool_or(is_own_after), false) as has_after,
    -- Successes and failures that hooks show: what their silence means is judged by these.
    coalesce(bool_or(is_own_after and is_live and outcome = 'ok'), false) as has_ok,
    coalesce(bool_or(is_own_after and is_live and outcome = 'error'), false) as has_failed,
    -- An entry of a batch whose call has its own after event is a duplicate.
    coalesce(bool_or(reported_by = 'batch'), false) as has_batch,
    coalesce(bool_or(
        duplicate_of is null and event_type in ('Agent.Response', 'Model.Requested')
    ), false) as has_turns,
    coalesce(bool_or(duplicate_of is null and event_type = 'Action.Before'), false) as has_before,
    list_sort(coalesce(list(distinct action_native) filter (
        duplicate_of is null and event_type = 'Action.After'
    ), [])) as after_natives,
    max(place) filter (shows_progress) as went_on,
    max("timestamp") filter (shows_progress) as went_on_at,
    -- Telemetry names it and nothing happened in it: a client's throw-away id before it resumes.
    bool_and(witness is not distinct from 'telemetry' and starts_with(event_type, 'vendor.'))
        as is_stray,
    -- Unknown where its marks disagree: it was continued in another way.
    case when bool_and(attended) = bool_or(attended) then bool_or(attended) end as attended,
    min("timestamp") as began_at, max("timestamp") as over_at, count(*) as told
from (
    select
        e.*, s.started_by,
        coalesce(machine_id, '') as machine,
        event_type = 'Action.After' and duplicate_of is null
            and reported_by is distinct from 'batch' as is_own_after,
        coalesce(witness, 'hook') not in ('mod', 'transcript', 'telemetry') as is_live,
        duplicate_of is null and event_type in (
            'Prompt.Submitted', 'Agent.Response', 'Session.Start', 'Session.End', 'Session.Abort',
            'Agent.Plan.End', 'Model.Requested', 'Model.Responded', 'Model.Failed',
            'Context.Compaction'
        ) as shows_progress
    from base.merged as e
    left join (
        select machine, tool, session_id, min(parent) as started_by from base.kin
        where is_separate group by all
    ) as s on coalesce(e.machine_id, '') = s.machine and e.tool = s.tool
        and e.session_id = s.session_id
)
group by machine, tool, session_id
