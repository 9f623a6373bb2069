insert into changed_events
from numbered_events anti join repeated using (filename, file_row_number);
drop table numbered_events;
insert into base.numbers from session_numbers;
insert into changed_repeats by name from repeated
