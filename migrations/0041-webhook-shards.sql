-- the number of shards of webhooks, the same in each row. While they are split into more, nobody takes or keeps a shard
alter table dispatch_shard add column shard_count smallint not null default 64;
alter table dispatch_shard add column split_into smallint;
-- the epoch that a process began which knows the number of shards. The version before this one writes none
alter table dispatch_shard add column known_epoch bigint not null default -1;
-- refuses takeovers by processes that believe in 64 shards where there are more, or soon will be
alter table dispatch_shard add constraint dispatch_shard_known
  check (owner = '' or known_epoch = epoch or (shard_count = 64 and split_into is null)) not valid;

-- the most shards that a running dispatcher can share; 64 in the version before this one
alter table dispatch_node add column max_shards smallint not null default 64;
