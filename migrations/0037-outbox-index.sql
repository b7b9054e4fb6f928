-- Only several leases of the relay read the outbox by its shards, and every commit with an event writes the index. The command
-- relays builds it when it sets several leases, and drops it when it sets one again.
-- contract: a condition, because an installation that has several leases already keeps the index; one lease never reads it
do $$
begin
  if (select count(*) from relay_lease) = 1 then
    drop index if exists outbox_shard;
  end if;
end
$$;
