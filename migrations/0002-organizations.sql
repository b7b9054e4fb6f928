-- Organizations, their members, and what the members may do.

-- searches in names and e-mail addresses
create extension if not exists pg_trgm;

create table organization (
  id text primary key,
  name text not null,
  plan text not null check (plan in ('FREE', 'TEAM', 'BUSINESS', 'ENTERPRISE')),
  modules_added text[] not null default '{}',
  modules_removed text[] not null default '{}',
  capabilities_added text[] not null default '{}',
  capabilities_removed text[] not null default '{}',
  features text[] not null default '{}',
  -- the name in the marketplace; null: the organization is not named there
  publisher_name text,
  -- an operator checked that the name belongs to the organization
  publisher_verified boolean not null default false,
  suspended_at timestamptz(3),
  suspended_reason text,
  created_at timestamptz(3) not null default now()
);
create index organization_listed on organization (lower(name), id);
create index organization_search on organization using gin (lower(name) gin_trgm_ops);

-- People who run this server. An operator is super administrator in one organization only; as a guest
-- elsewhere, an operator has only the rights of the membership
create table operator (
  person_id text primary key references person (id) on delete cascade,
  home_id text not null references organization (id),
  created_at timestamptz(3) not null default now()
);

create table role (
  organization_id text not null references organization (id),
  id text not null,
  name text not null,
  permissions text[] not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index role_name on role (organization_id, lower(name));

create table membership (
  organization_id text not null references organization (id),
  person_id text not null references person (id),
  -- OWNER, ADMIN, MEMBER, or the id of a custom role
  role text not null,
  custom_role_id text,
  name text not null,
  email text not null,
  search text not null generated always as (lower(name) || ' ' || email) stored,
  created_at timestamptz(3) not null default now(),
  -- former members keep their row, because their content still names them
  removed_at timestamptz(3),
  primary key (organization_id, person_id),
  foreign key (organization_id, custom_role_id) references role (organization_id, id),
  check ((role = 'CUSTOM') = (custom_role_id is not null)),
  check (role in ('OWNER', 'ADMIN', 'MEMBER', 'CUSTOM'))
);
create index membership_person on membership (person_id);
create index membership_listed on membership (organization_id, lower(name), person_id) where removed_at is null;
create index membership_role on membership (organization_id, custom_role_id) where custom_role_id is not null;
create index membership_by_role on membership (organization_id, role, lower(name), person_id) where removed_at is null;
create index membership_search on membership using gin (search gin_trgm_ops) where removed_at is null;

create table invitation (
  organization_id text not null references organization (id),
  id text not null,
  email text not null check (email = lower(email)),
  -- the name of an invited person who has no account yet
  name text,
  role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER', 'CUSTOM')),
  custom_role_id text,
  -- SHA-256 of the secret in the mailed link
  secret_hash text not null,
  -- null: invited by an operator of this server
  invited_by text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- when a mail server last accepted the mail with the link
  sent_at timestamptz(3),
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, custom_role_id) references role (organization_id, id),
  foreign key (organization_id, invited_by) references membership (organization_id, person_id)
);
create index invitation_open on invitation (organization_id, created_at desc, id desc)
  where accepted_at is null and revoked_at is null;
create unique index invitation_open_email on invitation (organization_id, email)
  where accepted_at is null and revoked_at is null;
create index invitation_secret on invitation (secret_hash);
create index invitation_role on invitation (organization_id, custom_role_id) where custom_role_id is not null;

-- departments, workspaces and groups have the same shape
create table unit (
  organization_id text not null references organization (id),
  id text not null,
  kind text not null check (kind in ('DEPARTMENT', 'WORKSPACE', 'GROUP')),
  name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index unit_name on unit (organization_id, kind, lower(name));

create table unit_member (
  organization_id text not null,
  unit_id text not null,
  person_id text not null,
  kind text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, unit_id, person_id),
  foreign key (organization_id, unit_id) references unit (organization_id, id) on delete cascade,
  foreign key (organization_id, person_id) references membership (organization_id, person_id)
);
create index unit_member_person on unit_member (organization_id, person_id, kind, unit_id);

-- invalidates what processes cache about a person or, if person_id is null, about everybody in the
-- organization. Written in the transaction of the change; every process reads the last seconds of it
create table access_change (
  organization_id text not null,
  id text not null,
  person_id text,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (organization_id, id)
);
create index access_change_created on access_change (created_at);

-- one open stream of a person, renewed with each heartbeat; exact over all processes
create table stream_lease (
  organization_id text not null,
  person_id text not null,
  stream text not null,
  id text not null,
  expires_at timestamptz(3) not null,
  primary key (organization_id, person_id, stream, id)
);
create index stream_lease_expiry on stream_lease (expires_at);

-- counters of fixed time windows
create table rate_window (
  bucket text not null,
  caller text not null,
  starts_at timestamptz(3) not null,
  used integer not null,
  primary key (bucket, caller, starts_at)
);
create index rate_window_age on rate_window (starts_at);

-- the first reply to each request with an Idempotency-Key
create table idempotency (
  organization_id text not null,
  caller text not null,
  operation text not null,
  key text not null,
  body_hash text not null,
  status integer,
  -- the object of the request: the reply is removed when the object is erased
  subject text,
  reply text,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, caller, operation, key)
);
create index idempotency_subject on idempotency (organization_id, subject) where subject is not null;
create index idempotency_age on idempotency (created_at);
