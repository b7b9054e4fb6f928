-- People and how they sign in, organizations and their members, roles, units, invitations and personal access tokens.

create table person (
  id text primary key,
  name text not null,
  -- always lower-case, so that the unique index and every lookup agree
  email text not null check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  -- set when an operator locks the person: no sign-in, and no session is valid
  locked_at timestamptz(3),
  locked_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint person_email_key unique (email)
);

create table session (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  token text not null,
  expires_at timestamptz(3) not null,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint session_token_key unique (token)
);
create index session_person on session (person_id, expires_at);
create index session_expired on session (expires_at);

-- one row per way to sign in: provider_id 'credential' is the password, anything else an OpenID provider
create table credential (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint credential_account_key unique (provider_id, account_id)
);
create index credential_person on credential (person_id);

-- short-lived secrets: reset links, challenges, the state of an OpenID sign-in. identifier is a hash
create table verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index verification_identifier on verification (identifier, created_at desc);
create index verification_expired on verification (expires_at);
-- a hash index, because value may be longer than a b-tree entry and is only compared for equality
create index verification_value on verification using hash (value);

create table two_factor (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz(3),
  constraint two_factor_person_key unique (person_id)
);

create table passkey (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  name text,
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz(3) default now(),
  constraint passkey_credential_key unique (credential_id)
);
create index passkey_person on passkey (person_id);

-- attempts in the current window; key is a digest, never an address or e-mail
create table sign_in_rate (
  key text primary key,
  count integer not null,
  resets_at timestamptz(3) not null
);
create index sign_in_rate_past on sign_in_rate (resets_at);

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

create table personal_token (
  organization_id text not null,
  id text not null,
  person_id text not null,
  name text not null,
  -- SHA-256 of the token, which nobody has but who made it
  digest text not null,
  -- how the token begins
  prefix text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- to the minute; written beside the request, never in its way
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (organization_id, id),
  constraint personal_token_digest unique (organization_id, digest),
  foreign key (organization_id, person_id) references membership (organization_id, person_id)
);
create index personal_token_person on personal_token (organization_id, person_id, id) where revoked_at is null;
create index personal_token_ended on personal_token (least(expires_at, revoked_at));
