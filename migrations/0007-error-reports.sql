-- Errors that applications report from their own servers, in groups, and how the team handles them.

-- settings of an application. Transactions that write reports of the application lock its row, so that a new error is
-- announced once and the hourly limits are exact
create table error_source (
  organization_id text not null,
  application_id text not null,
  ticket_on_regression text not null default 'REOPEN' check (ticket_on_regression in ('REOPEN', 'NEW', 'NOTHING')),
  resolve_with_ticket boolean not null default false,
  reported_at timestamptz(3),
  primary key (organization_id, application_id),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
) with (fillfactor = 50);

-- settings of an organization
create table error_settings (
  organization_id text not null primary key references organization (id) on delete cascade,
  -- field names whose values are removed, as the organization entered them
  secret_names text[] not null default '{}'
);

-- reports per hour
create table error_intake (
  organization_id text not null,
  application_id text not null,
  hour timestamptz(3) not null,
  accepted bigint not null default 0,
  discarded bigint not null default 0,
  limited bigint not null default 0,
  new_errors integer not null default 0,
  overflows integer not null default 0,
  primary key (organization_id, application_id, hour),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
) with (fillfactor = 50);
create index error_intake_hour on error_intake (hour);

-- the remaining reports of an API key, as a token bucket: the time at which the next report is due at the even rate
create table error_allowance (
  organization_id text not null,
  key_id text not null,
  due_at timestamptz(3) not null,
  last_portion integer not null,
  primary key (organization_id, key_id)
);

-- all occurrences of one error; the displayed columns are from the latest
create table error_group (
  organization_id text not null,
  id text not null,
  application_id text not null,
  hash text not null,
  fingerprint_version text not null,
  message text not null,
  module text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low')),
  file text,
  line integer,
  function text,
  endpoint text,
  method text,
  is_overflow boolean not null default false,
  count bigint not null check (count > 0),
  users_affected integer not null default 0,
  first_occurrence timestamptz(3) not null,
  last_occurrence timestamptz(3) not null,
  state text not null default 'UNRESOLVED' check (state in ('UNRESOLVED', 'RESOLVED', 'SILENCED')),
  resolved_at timestamptz(3),
  resolved_by text,
  -- occurrences until then are attributed to the old release
  grace_until timestamptz(3),
  silence_type text check (silence_type in ('FOREVER', 'DATE', 'COUNT', 'SPIKE')),
  silenced_at timestamptz(3),
  silenced_by text,
  silenced_until timestamptz(3),
  silenced_for_count integer,
  -- the silence ends when `count` reaches this number
  silenced_until_count bigint,
  regression_count integer not null default 0,
  ticket_id text,
  -- the current hour and the current five-minute window, with their counts
  hour_at timestamptz(3) not null,
  hour_count integer not null,
  window_at timestamptz(3) not null,
  window_count integer not null,
  spiked_at timestamptz(3),
  samples integer not null default 0,
  -- sort keys of the lists. An index on the exact times and counts would be updated by each report; these values change
  -- rarely and keep the same order
  last_minute timestamp(0) not null generated always as (date_trunc('minute', last_occurrence at time zone 'UTC')) stored,
  count_root integer not null generated always as (floor(sqrt(count::float8))) stored,
  primary key (organization_id, id),
  constraint error_group_hash unique (organization_id, application_id, hash),
  check ((state = 'RESOLVED') = (resolved_at is not null)),
  check ((state = 'SILENCED') = (silence_type is not null)),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
) with (fillfactor = 70);
create index error_group_recent on error_group (organization_id, application_id, last_minute desc);
create index error_group_top on error_group (organization_id, application_id, count_root desc) where state = 'UNRESOLVED';
create index error_group_last_minute on error_group using brin (last_minute);

-- stored counts of the errors of an application, so that statistics need no scan
create table error_group_count (
  organization_id text not null,
  application_id text not null,
  module text not null,
  severity text not null,
  state text not null,
  count integer not null,
  primary key (organization_id, application_id, module, severity, state),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
) with (fillfactor = 70);

create table error_hour (
  organization_id text not null,
  error_id text not null,
  hour timestamptz(3) not null,
  count bigint not null,
  primary key (organization_id, error_id, hour),
  foreign key (organization_id, error_id) references error_group (organization_id, id) on delete cascade
) with (fillfactor = 70);
create index error_hour_hour on error_hour (hour);

-- digests of affected users, to count distinct ones
create table error_user (
  organization_id text not null,
  error_id text not null,
  user_digest text not null,
  primary key (organization_id, error_id, user_digest),
  foreign key (organization_id, error_id) references error_group (organization_id, id) on delete cascade
);

-- samples of occurrences. Slots are reused: -1 is the first occurrence, 0 and above are a ring of recent ones, below -1
-- are regressions
create table error_sample (
  organization_id text not null,
  error_id text not null,
  slot smallint not null,
  kind text not null check (kind in ('FIRST', 'RECENT', 'REGRESSION')),
  occurred_at timestamptz(3) not null,
  -- the report without secrets
  report json not null,
  primary key (organization_id, error_id, slot),
  foreign key (organization_id, error_id) references error_group (organization_id, id) on delete cascade
);
create index error_sample_occurred_at on error_sample (occurred_at);

-- changes of an error by people and by occurrences
create table error_history (
  organization_id text not null,
  error_id text not null,
  id text not null,
  action text not null,
  actor_id text,
  at timestamptz(3) not null,
  note text,
  primary key (organization_id, error_id, id),
  foreign key (organization_id, error_id) references error_group (organization_id, id) on delete cascade
);

create table error_ticket (
  organization_id text not null,
  id text not null,
  application_id text not null,
  error_id text not null,
  title text not null,
  note text,
  status text not null check (status in ('OPEN', 'IN_PROGRESS', 'DONE', 'DISMISSED')),
  -- null for a ticket that was created by a regression
  created_by text,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  closed_at timestamptz(3),
  primary key (organization_id, id),
  check ((status in ('DONE', 'DISMISSED')) = (closed_at is not null)),
  foreign key (organization_id, error_id) references error_group (organization_id, id) on delete cascade
);
-- at most one open ticket per error
create unique index error_ticket_open on error_ticket (organization_id, error_id) where closed_at is null;
create index error_ticket_recent on error_ticket (organization_id, application_id, created_at desc, id desc);
create index error_ticket_status on error_ticket (organization_id, application_id, status, created_at desc, id desc);
