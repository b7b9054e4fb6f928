-- outside a transaction
create unique index concurrently if not exists unit_external on unit (organization_id, external_id) where external_id is not null;
