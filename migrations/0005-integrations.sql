-- External applications, their API keys, and webhooks.

create table application (
  organization_id text not null references organization (id),
  id text not null,
  slug text not null,
  name text not null,
  description text,
  -- the person on whose behalf it acts
  principal_id text not null,
  status text not null check (status in ('ACTIVE', 'DISABLED')),
  -- origins from which browsers may call; empty: none
  origins text[] not null default '{}',
  scopes text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- the row stays, DISABLED and without keys, for the records of its actions; its slug stays reserved
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint application_slug unique (organization_id, slug),
  foreign key (organization_id, principal_id) references membership (organization_id, person_id)
);
create index application_name on application (organization_id, lower(name), id) where deleted_at is null;

-- the grant of a critical scope, with its reason (SCP-5)
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
  -- SHA-256 of the key, which is not stored
  digest text not null,
  -- the first characters of the key
  prefix text not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  -- to the minute; written outside of the request
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (organization_id, id),
  constraint application_key_digest unique (organization_id, digest),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
);
-- lists, newest first
create index application_key_application on application_key (organization_id, application_id, id);

-- the webhook of an application. `shard` is a hash of the application id, 0 to 63
create table webhook_endpoint (
  organization_id text not null,
  application_id text not null,
  shard smallint not null,
  url text not null,
  -- event names in capitals
  events text[] not null,
  -- HELD: paused automatically or by a person; deliveries wait until it is resumed, and no other row changes
  status text not null check (status in ('ACTIVE', 'HELD')),
  paused_reason text,
  paused_at timestamptz(3),
  max_per_second integer,
  -- one delivery at a time, in the order of writing
  is_ordered boolean not null default false,
  -- sends the headers of Standard Webhooks in addition
  has_standard_headers boolean not null default false,
  updated_at timestamptz(3) not null default now(),
  -- health, written by the dispatcher at most once a second: the first failed attempt and the finally failed deliveries
  -- since the last success; when the receiver last answered 410
  failing_since timestamptz(3),
  failed_in_row integer not null default 0,
  gone_at timestamptz(3),
  last_delivered_at timestamptz(3),
  -- when it was last paused for failing, and when the first delivery after that arrived: both send a mail
  paused_for_failing_at timestamptz(3),
  recovered_at timestamptz(3),
  primary key (organization_id, application_id),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
) with (fillfactor = 80);

-- signing secrets: CURRENT signs, PREPARED signs an extra header until it is activated, RETIRED is only listed
create table webhook_secret (
  organization_id text not null,
  application_id text not null,
  id text not null,
  -- encrypted with AES-256-GCM under the key of the server
  sealed text not null,
  state text not null check (state in ('PREPARED', 'CURRENT', 'RETIRING', 'RETIRED')),
  created_at timestamptz(3) not null default now(),
  state_since timestamptz(3) not null default now(),
  primary key (organization_id, application_id, id),
  foreign key (organization_id, application_id) references webhook_endpoint (organization_id, application_id) on delete cascade
);
create unique index webhook_secret_current on webhook_secret (organization_id, application_id) where state = 'CURRENT';
create unique index webhook_secret_prepared on webhook_secret (organization_id, application_id) where state = 'PREPARED';

-- an event for one application. The body never changes. Ids are in the order of time, so a day is a range of ids and
-- old days are dropped as partitions
create table webhook_delivery (
  organization_id text not null,
  id text collate "C" not null,
  application_id text not null,
  event_id text not null,
  event_seq bigint,
  event text not null,
  -- ids that decide whether it may still be sent: { channelId, messageId, … }
  subject jsonb not null,
  body text not null,
  emitted_at timestamptz(3) not null,
  -- PENDING while webhook_new_range or webhook_due covers it, also while the endpoint is paused
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED', 'HELD', 'NOT_AUTHORIZED', 'CANCELLED')),
  attempts smallint not null default 0,
  -- starts of the next attempt; counted only while owners of the shard crash
  starts smallint not null default 0,
  -- the last attempt: DELIVERED, HTTP_STATUS, TIMEOUT, CONNECT, DNS, TLS, RESET, BLOCKED_ADDRESS, REDIRECT, INTERNAL
  outcome text,
  last_status smallint,
  finished_at timestamptz(3),
  -- the first attempt, usually the only one, without usual values; later attempts are rows of webhook_attempt
  first_started_at timestamptz(3),
  first_record json,
  -- set only for failures, so that a successful delivery changes no index
  problem text generated always as (case when status in ('FAILED', 'NOT_AUTHORIZED', 'CANCELLED') then status end) stored,
  primary key (organization_id, application_id, id)
) partition by range (id);
-- lists of failures; other lists use the primary key, or webhook_new_range and webhook_due for pending ones
create index webhook_delivery_problem on webhook_delivery (organization_id, application_id, problem, id) where problem is not null;

-- rows of days without a partition
create table webhook_delivery_default partition of webhook_delivery default;

-- attempts after the first
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

-- deliveries without an attempt, one row for all that the relay wrote at once for an application. Like webhook_due, this
-- belongs to the dispatcher and not to a tenant
create table webhook_new_range (
  shard smallint not null,
  application_id text not null,
  -- covers the PENDING deliveries between these ids without an attempt and without a row in webhook_due
  first_id text collate "C" not null,
  last_id text collate "C" not null,
  organization_key text not null,
  written_at timestamptz(3) not null,
  primary key (shard, application_id, first_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- retries and scheduled deliveries; small, because finished rows are deleted
create table webhook_due (
  shard smallint not null,
  application_id text not null,
  due_at timestamptz(3) not null,
  delivery_id text collate "C" not null,
  organization_key text not null,
  -- the number of the next attempt, and the earlier attempts in its round of five
  attempt smallint not null default 1,
  retries smallint not null default 0,
  trigger text not null check (trigger in ('AUTOMATIC', 'MANUAL', 'RECOVERY')),
  primary key (application_id, delivery_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index webhook_due_load on webhook_due (shard, application_id, due_at, delivery_id);

-- leases of shards: a write of a former owner finds no row
create table dispatch_shard (
  shard smallint primary key,
  owner text not null default '',
  epoch bigint not null default 0,
  lease_until timestamptz(3) not null default '-infinity',
  taken_at timestamptz(3) not null default '-infinity',
  -- owners in a row that crashed soon after they took the shard
  crash_count smallint not null default 0
);
insert into dispatch_shard (shard) select generate_series(0, 63);

-- running dispatchers, each with its share of the shards
create table dispatch_node (
  id text primary key,
  seen_until timestamptz(3) not null
);

-- recoveries and replays of deliveries at a limited rate. Rows of webhook_due with the trigger RECOVERY still wait; only
-- one runs at a time
create table webhook_redelivery (
  organization_id text not null,
  id text not null,
  application_id text not null,
  kind text not null check (kind in ('RECOVERY', 'REPLAY')),
  -- the status of its deliveries before, to which a cancellation returns them
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
