-- The hooks of guardians, and the events that show each of them (null: any).
select vendor, generation, hook, native_event, event_type from base.hook_records
