-- What is known of changed sessions, and of the stored ones in the scope.
create or replace table fresh_known as from base.known;
drop table base.known;
create or replace table changed_clients as select distinct machine, tool from changed_sessions;
create or replace table base.known as
from fresh_known
union all by name
from stored.known {scope} anti join changed_sessions using (machine, tool, session_id)
