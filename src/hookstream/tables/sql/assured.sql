-- The evidence of each session: how its hooks were registered, which witnesses report it, and what
-- of that is less than it could be.
with
by_witness as (
    select
        session,
        case when witness in ('mod', 'transcript', 'telemetry', 'callback') then witness else 'hook' end
            as kind,
        list(distinct capture_scope) filter (capture_scope is not null) as scopes,
        max(sequence) - count(distinct sequence) as missing,
        bool_or(event_type = 'Session.Start') as has_start,
        bool_or(ends_with(event_type, '.ConfigurationRefused')) as is_refused,
        bool_or(ends_with(event_type, '.CaptureReplaced')) as is_replaced
    from base.keyed_events
    group by all
),
told as (
    select
        session,
        list_sort(list_distinct(coalesce(flatten(list(scopes) filter (scopes is not null)), [])))
            as capture_scopes,
        list(kind) as kinds,
        bool_or(kind = 'hook' and has_start) as has_start,
        coalesce(max(missing) filter (kind = 'hook'), 0) as missing_events,
        bool_or(is_refused) as is_refused, bool_or(is_replaced) as is_replaced
    from by_witness
    group by session
)
select
    machine, tool, session_id, capture_scopes, missing_events,
    case
        when list_contains(capture_scopes, 'managed') then 'managed_hooks'
        when list_contains(capture_scopes, 'user') then 'user_hooks'
        when list_contains(capture_scopes, 'project') then 'project_hooks'
        when list_contains(kinds, 'hook') then 'hooks'
        when list_contains(kinds, 'mod') then 'mod'
        when list_contains(kinds, 'callback') then 'callbacks'
        when list_contains(kinds, 'transcript') then 'files'
        else 'telemetry'
    end as assurance,
    list_filter(
        [
            case when not list_contains(kinds, 'hook') then 'no_hooks' end,
            case when list_contains(kinds, 'hook') and capture_scopes = []
                then 'registration_unknown' end,
            case when list_contains(kinds, 'hook') and not has_start then 'no_session_start' end,
            case when missing_events > 0 then 'missing_events' end,
            case when is_refused then 'configuration_refused' end,
            case when is_replaced then 'capture_replaced' end
        ],
        lambda one: one is not null
    ) as assurance_reasons
from told join base.numbers using (session)
