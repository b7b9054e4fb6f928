-- outside a transaction
-- keys that contain the organization, by which these tables can be distributed. They are in the order of the primary keys, which
-- the version before this one names in `on conflict`, so that a later release can drop those
create unique index concurrently if not exists webhook_new_range_key on webhook_new_range
  (shard, application_id, first_id, organization_key);
create unique index concurrently if not exists webhook_due_key on webhook_due
  (application_id, delivery_id, organization_key);
