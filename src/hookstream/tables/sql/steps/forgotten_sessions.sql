-- Sessions all of whose events are of dates that are deleted.
delete from base.known
where cast(began_at as date) in ({dates}) and cast(over_at as date) in ({dates})
    and (machine, tool, session_id) not in (
        select (machine, tool, session_id) from changed_sessions
    )
