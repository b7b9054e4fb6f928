-- outside a transaction
-- the errors of all applications, latest first. Like error_group_recent, it changes at most once a minute for each error
create index concurrently if not exists error_group_newest on error_group (organization_id, last_minute desc);
