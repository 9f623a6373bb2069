select distinct command, file_path, cwd
from base.actions
semi join base.denied using (machine, tool, session_id)
where command is not null or file_path is not null
