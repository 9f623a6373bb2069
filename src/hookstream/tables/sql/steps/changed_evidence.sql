create or replace table changed_evidence as
with
fresh as (
    select machine, user_id, tool, shows, action_native from base.evidence {scope}
),
earlier as (
    select machine, user_id, tool, shows, action_native from stored.evidence {scope}
)
select distinct machine, user_id, tool
from ((from fresh except from earlier) union all (from earlier except from fresh))
