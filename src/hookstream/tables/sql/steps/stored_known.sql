-- The columns of `known` as stored sessions have them.
create or replace view stored.known as
select
    machine, tool, session_id, user_id, parent_session_id, has_after, has_ok, has_failed,
    has_batch, has_turns, has_before, after_natives, went_on, went_on_at, began_at, over_at, told,
    is_stray, attended
from stored.sessions
