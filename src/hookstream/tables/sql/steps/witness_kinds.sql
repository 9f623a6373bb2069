select count(distinct case witness
    when 'mod' then 0 when 'transcript' then 1 when 'telemetry' then 3 else 2 end)
from {witnesses}
