-- Sessions whose events are another's: those of sub-agents, if several witnesses report the one
-- that they belong to.
select r.*
from base.roots as r
semi join base.several as s
    on r.machine = s.machine and r.tool = s.tool and r.root = s.session_id
