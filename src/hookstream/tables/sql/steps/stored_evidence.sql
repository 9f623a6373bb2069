insert into base.evidence by name
from stored.evidence anti join changed_clients using (machine, tool)
