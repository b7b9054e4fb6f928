-- outside a transaction
-- the clocks of leads that are ahead: usually none
create index concurrently if not exists lead_clock_ahead on lead_clock (organization_id) where is_ahead;
-- access changes from a transaction on
create index concurrently if not exists access_change_tx on access_change (tx, created_at);
