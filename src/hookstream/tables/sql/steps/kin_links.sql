create or replace table links as
select k.* from base.kin as k semi join {sessions} using (machine, tool, session_id)
