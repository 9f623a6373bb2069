-- The dates at which changed sessions began, as stored and as derived.
select distinct date::varchar
from (
    select cast(began_at as date) as date
    from stored_sessions semi join changed_sessions using (machine, tool, session_id)
    union all
    select cast(began_at as date)
    from base.known semi join changed_sessions using (machine, tool, session_id)
)
where date is not null
