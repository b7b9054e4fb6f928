-- outside a transaction
-- the outbox rows of a shard, for relays that do not hold the leases of all shards
create index concurrently if not exists outbox_shard on outbox ((hashtextextended(organization_id, 0) & 63), created_at, id);
