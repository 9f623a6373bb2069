-- What each vendor's hooks can give: standard event types and hook points, from the vendors' tables.
select vendor, kind, name from whole.vendor_documents
