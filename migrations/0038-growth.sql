-- Columns for two statements that read more the more organizations there are; 0039 has their indexes.

-- the last change got a time clearly after the clock of the database. Changes rarely, so that an update of the clock stays in its
-- page and writes no index
alter table lead_clock add column is_ahead boolean not null default false;

-- the transaction of the change: processes read on from the oldest transaction that was open when they last read. Null in rows
-- from before this migration
alter table access_change add column tx xid8;
alter table access_change alter column tx set default pg_current_xact_id();
