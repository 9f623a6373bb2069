create or replace view base.moved as
select machine, tool, told_as as session_id, session_id as root
from stored.capture where told_as <> session_id
