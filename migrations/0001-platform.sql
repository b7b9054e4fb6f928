-- Tables of the platform: changes of access, stream leases, rate windows, idempotency keys, the outbox, events, the
-- audit log, the mail queue, the outbox relay, and stored objects.

-- searches in names and e-mail addresses
create extension if not exists pg_trgm;
-- needed for trigram indexes that start with organization_id
create extension if not exists btree_gin;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are immutable', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

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

-- one row for each transaction that changed something, with its events and its audit entry. Written with the
-- change, removed by the relay
create table outbox (
  organization_id text not null,
  id text not null,
  -- [{ id, name, actorId, data, to? }]
  events jsonb,
  -- { actorId, auth, ip, client, requestId, operation, subject, changed }
  audit jsonb,
  -- read when the row is written, after all locks of the transaction, so that dependent changes come later
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, id)
);
create index outbox_order on outbox (created_at);

-- events in the order of their organization, numbered by the relay once they are visible. Events of a shared
-- stream belong to a topic instead: organization_id holds the name of the topic
create table event (
  organization_id text not null,
  seq bigint not null,
  id text not null,
  name text not null,
  actor_id text,
  data jsonb not null,
  at timestamptz(3) not null,
  -- the recipients as organization/person; null: everybody who may receive the event
  recipients text[],
  -- ids that decide which applications receive an event
  about jsonb,
  primary key (organization_id, seq)
);
create index event_age on event (at);

-- append-only; each hash covers the content and the previous hash, so that an edited, removed or inserted row
-- shows
create table audit (
  organization_id text not null,
  seq bigint not null,
  id text not null,
  actor_id text,
  auth text not null,
  ip text not null,
  client text not null,
  request_id text not null,
  operation text not null,
  subject text,
  changed text[] not null,
  at timestamptz(3) not null,
  hash text not null,
  -- for changes by applications: the grantor, and the values before and after
  detail json,
  primary key (organization_id, seq)
);
create index audit_subject on audit (organization_id, subject, seq desc) where subject is not null;
create index audit_actor on audit (organization_id, actor_id, seq desc) where actor_id is not null;
create index audit_operation on audit (organization_id, operation, seq desc);
create index audit_at on audit (organization_id, at, seq);

-- mails to be sent: written with the change that causes them, deleted when a mail server accepts them
create table outgoing_mail (
  organization_id text not null,
  -- also the Message-ID, so that a repeated mail is the same message
  id text not null,
  -- selects the template; the mail is written when it is sent, from `data`: ids and encrypted secrets
  kind text not null,
  data jsonb not null,
  attempts smallint not null,
  -- also set while a mail is being sent, so that a killed process loses no mail
  next_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index outgoing_mail_due on outgoing_mail (next_at);

-- the relay's position in each organization and shared topic: the last event, the oldest stored event, the
-- last audit row
create table relay_head (
  organization_id text primary key,
  event_seq bigint not null default 0,
  event_oldest bigint not null default 1,
  audit_seq bigint not null default 0,
  audit_hash text not null default ''
);

-- the relay's lease: the highest fence wins, and writes with an older fence change no row
create table relay_lease (
  name text primary key,
  fence bigint not null,
  holder text not null,
  expires_at timestamptz(3) not null
);
insert into relay_lease (name, fence, holder, expires_at) values ('relay', 0, '', now());

-- one object per content, shared by versions, copies and installs. Inserted in a transaction of its own, never inside a
-- business transaction
create table file_object (
  sha256 text primary key,
  size bigint not null,
  -- when the sweep checks again whether anything refers to it
  check_at timestamptz(3) not null,
  -- when a check first found no reference to it
  unreferenced_at timestamptz(3)
);
create index file_object_check on file_object (check_at);
