-- What is known of some sessions and of their parents.
create or replace table base.known as
from base.known_of_lake semi join (
    from {sessions}
    union
    select machine, tool, parent_session_id as session_id
    from base.known_of_lake semi join {sessions} using (machine, tool, session_id)
) using (machine, tool, session_id)
