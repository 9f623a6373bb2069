select date::varchar, cast(sum(events) as bigint), cast(max(over_at) as date)::varchar
from spans group by date order by date
