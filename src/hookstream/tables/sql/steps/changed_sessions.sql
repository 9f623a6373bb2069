create or replace table changed_sessions (machine varchar, tool varchar, session_id varchar);
create or replace table stored_sessions as
select machine, tool, session_id, parent_session_id, user_id, open_calls, began_at, over_at
from stored.sessions
