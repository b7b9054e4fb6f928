-- outside a transaction
-- the whole catalogue in the orders of its lists, for readers who may read a good part of it; by name: asset_named
create index concurrently if not exists asset_popular_all on asset_counter
  (organization_id, usage_count, score, created_at, asset_id) where listed;
create index concurrently if not exists asset_recent_all on asset (organization_id, updated_at, id) where listed;
