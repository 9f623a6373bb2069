-- The documented output of each vendor's hooks: standard event types and hook points, from the
-- vendors' tables.
select vendor, kind, name from base.vendor_documents
