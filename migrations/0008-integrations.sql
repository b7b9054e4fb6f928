-- External applications, their keys, and the notices that are sent to them.

create table application (
  organization_id text not null references organization (id),
  id text not null,
  slug text not null,
  name text not null,
  description text,
  -- the person who registered it: what it makes, it makes on their behalf
  principal_id text not null,
  status text not null check (status in ('ACTIVE', 'DISABLED')),
  -- origins a browser may call from; none = no browser may
  origins text[] not null default '{}',
  scopes text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- its row, DISABLED and without keys, stays for what it has done; its slug stays its own
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint application_slug unique (organization_id, slug),
  foreign key (organization_id, principal_id) references membership (organization_id, person_id)
);
create index application_name on application (organization_id, lower(name), id) where deleted_at is null;
-- also one that was deleted: its row stays
create or replace view actor_name as
  select organization_id, person_id as id, name from membership
  union all select organization_id, id, name from application;

-- a critical scope that was given: by whom and why (SCP-5)
create table application_critical_scope (
  organization_id text not null,
  application_id text not null,
  scope text not null,
  granted_by text not null,
  reason text not null,
  granted_at timestamptz(3) not null default now(),
  primary key (organization_id, application_id, scope),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
);

create table application_key (
  organization_id text not null,
  id text not null,
  application_id text not null,
  name text not null,
  -- SHA-256 of the key, which nobody has but who made it
  digest text not null,
  -- how the key begins
  prefix text not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  -- to the minute; written beside the request, never in its way
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (organization_id, id),
  constraint application_key_digest unique (organization_id, digest),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
);
-- two live keys at a time; the newest first
create index application_key_application on application_key (organization_id, application_id, id);

-- where an application is told what happens: one address for each application. `shard` = hash of its id, 0 to 63
create table webhook_endpoint (
  organization_id text not null,
  application_id text not null,
  shard smallint not null,
  url text not null,
  -- names of events, in capitals
  events text[] not null,
  -- HELD keeps what would be sent, by the rule or by a person, until it is resumed: nothing moves but this word
  status text not null check (status in ('ACTIVE', 'HELD')),
  paused_reason text,
  paused_at timestamptz(3),
  max_per_second integer,
  -- one delivery at a time, in the order in which they were written
  is_ordered boolean not null default false,
  -- those of Standard Webhooks beside ours
  has_standard_headers boolean not null default false,
  updated_at timestamptz(3) not null default now(),
  -- health, written by the dispatcher at most once a second: since the last success the first attempt that failed and
  -- the deliveries that failed for good; when the address last answered 410
  failing_since timestamptz(3),
  failed_in_row integer not null default 0,
  gone_at timestamptz(3),
  last_delivered_at timestamptz(3),
  -- when it was last paused for failing, and when the first delivery after that arrived: people are mailed of both
  paused_for_failing_at timestamptz(3),
  recovered_at timestamptz(3),
  primary key (organization_id, application_id),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
) with (fillfactor = 80);

-- its secrets: CURRENT signs, PREPARED signs an extra header until it is made CURRENT, RETIRED is only shown as history
create table webhook_secret (
  organization_id text not null,
  application_id text not null,
  id text not null,
  -- AES-256-GCM, sealed with the key of the server
  sealed text not null,
  state text not null check (state in ('PREPARED', 'CURRENT', 'RETIRING', 'RETIRED')),
  created_at timestamptz(3) not null default now(),
  state_since timestamptz(3) not null default now(),
  primary key (organization_id, application_id, id),
  foreign key (organization_id, application_id) references webhook_endpoint (organization_id, application_id) on delete cascade
);
create unique index webhook_secret_current on webhook_secret (organization_id, application_id) where state = 'CURRENT';
create unique index webhook_secret_prepared on webhook_secret (organization_id, application_id) where state = 'PREPARED';

-- one notice for one application, as it is sent: the body never changes. Ids are in the order of time, so days are
-- ranges of ids, and old days are dropped whole
create table webhook_delivery (
  organization_id text not null,
  id text collate "C" not null,
  application_id text not null,
  event_id text not null,
  event_seq bigint,
  event text not null,
  -- ids that say whether it may still be sent: { channelId, messageId, … }
  subject jsonb not null,
  body text not null,
  emitted_at timestamptz(3) not null,
  -- PENDING while a row of webhook_new_range or webhook_due stands for it, which waits as long as the endpoint is HELD
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED', 'HELD', 'NOT_AUTHORIZED', 'CANCELLED')),
  attempts smallint not null default 0,
  -- how often the attempt that comes was begun since owners of its shard die: counted only then
  starts smallint not null default 0,
  -- of the last attempt: DELIVERED, HTTP_STATUS, TIMEOUT, CONNECT, DNS, TLS, RESET, BLOCKED_ADDRESS, REDIRECT, INTERNAL
  outcome text,
  last_status smallint,
  finished_at timestamptz(3),
  -- its first attempt, which nearly always is the only one, without what nearly all say alike; the others are rows of
  -- webhook_attempt
  first_started_at timestamptz(3),
  first_record json,
  -- set only for what went wrong: a notice that is delivered changes no index
  problem text generated always as (case when status in ('FAILED', 'NOT_AUTHORIZED', 'CANCELLED') then status end) stored,
  primary key (organization_id, application_id, id)
) partition by range (id);
-- lists: all by the key, and those that went wrong; what is pending stands in webhook_new_range and webhook_due
create index webhook_delivery_problem on webhook_delivery (organization_id, application_id, problem, id) where problem is not null;
-- a net for days that were not made in time
create table webhook_delivery_default partition of webhook_delivery default;

-- the second attempt and those after it
create table webhook_attempt (
  organization_id text not null,
  delivery_id text collate "C" not null,
  n smallint not null check (n > 1),
  started_at timestamptz(3) not null,
  -- { trigger, durationMs, timings, outcome, status, answer, answerHeaders, address, secretId, error }
  record json not null,
  primary key (organization_id, delivery_id, n)
) partition by range (delivery_id);
create table webhook_attempt_default partition of webhook_attempt default;

-- what was written and has had no attempt: of each application a row for all that the relay wrote at once. Bookkeeping of
-- the dispatcher, as is webhook_due: no tenant's
create table webhook_new_range (
  shard smallint not null,
  application_id text not null,
  -- deliveries between these ids that are PENDING, without an attempt and without a row of webhook_due
  first_id text collate "C" not null,
  last_id text collate "C" not null,
  organization_key text not null,
  written_at timestamptz(3) not null,
  primary key (shard, application_id, first_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- what is to be sent again, or at a pace: small, and deleted when it is done
create table webhook_due (
  shard smallint not null,
  application_id text not null,
  due_at timestamptz(3) not null,
  delivery_id text collate "C" not null,
  organization_key text not null,
  -- the number of the attempt that comes, and how many this round of five has had
  attempt smallint not null default 1,
  retries smallint not null default 0,
  trigger text not null check (trigger in ('AUTOMATIC', 'MANUAL', 'RECOVERY')),
  primary key (application_id, delivery_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index webhook_due_load on webhook_due (shard, application_id, due_at, delivery_id);

-- who sends for which endpoints: a stale owner's results find no row
create table dispatch_shard (
  shard smallint primary key,
  owner text not null default '',
  epoch bigint not null default 0,
  lease_until timestamptz(3) not null default '-infinity',
  taken_at timestamptz(3) not null default '-infinity',
  -- owners in a row that were gone soon after they had taken it and did not give it back
  crash_count smallint not null default 0
);
insert into dispatch_shard (shard) select generate_series(0, 63);

-- the dispatchers that live: each has its share of the shards
create table dispatch_node (
  id text primary key,
  seen_until timestamptz(3) not null
);

-- ids that decide which applications an event is told to
alter table event add column about jsonb;

-- many deliveries that are sent again, or events that are told later, at a pace. What of one still waits are the rows of
-- webhook_due with its trigger: one runs at a time
create table webhook_redelivery (
  organization_id text not null,
  id text not null,
  application_id text not null,
  kind text not null check (kind in ('RECOVERY', 'REPLAY')),
  -- what its deliveries were, and are again when it is cancelled
  status_before text not null,
  per_second integer not null,
  total integer not null,
  cancelled integer not null default 0,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  cancelled_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, application_id) references webhook_endpoint (organization_id, application_id) on delete cascade
);
create index webhook_redelivery_application on webhook_redelivery (organization_id, application_id, id);

create index webhook_due_redelivery on webhook_due (application_id) where trigger = 'RECOVERY';
