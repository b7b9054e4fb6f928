-- People and their ways to sign in. A person can belong to several organizations, so these tables have no
-- organization_id.

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
