-- `kin` as it is stored: whether the sub-agent has a separate session too, among {sessions}.
create or replace table kin_rows as
select k.*, s.session_id is not null as is_session
from base.kin as k left join {sessions} as s using (machine, tool, session_id)
