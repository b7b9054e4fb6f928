-- outside a transaction
-- the mailed links that wait for an answer, for the reminders
create index concurrently if not exists signing_link_waits on signing_link (organization_id, mailed_at)
  where mailed_at is not null and revoked_at is null and used_at is null and declined_at is null;
