create or replace table batch_sessions as
select machine, tool, session_id
from spans
where date between date '{first}' and date '{last}'
    and hash(machine, tool, session_id) % {shares} = {share}
