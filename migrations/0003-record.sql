-- What was announced and what was done.

-- one row for each transaction that changed something: its events and its audit entry. Written with the
-- change, emptied by the relay
create table outbox (
  organization_id text not null,
  id text not null,
  -- [{ id, name, actorId, data, to? }]
  events jsonb,
  -- { actorId, auth, ip, client, requestId, operation, subject, changed }
  audit jsonb,
  -- read when the row is written, after every lock of its transaction: what depends on another change is later
  at timestamptz not null default clock_timestamp(),
  primary key (organization_id, id)
);
create index outbox_order on outbox (at);

-- the events in the order of their organization, which the relay gives once they are visible. Those of a stream that
-- all organizations share have a room of their own instead, whose name stands for the organization
create table event (
  organization_id text not null,
  seq bigint not null,
  id text not null,
  name text not null,
  actor_id text,
  data jsonb not null,
  at timestamptz(3) not null,
  -- organization/person of each whom it is for; null: for all who may hear it by its name
  heard_by text[],
  primary key (organization_id, seq)
);
create index event_age on event (at);

-- append-only; each row's hash covers its content and the hash before it, so that a row that was edited,
-- taken out or slipped in shows
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
  primary key (organization_id, seq)
);
create index audit_subject on audit (organization_id, subject, seq desc) where subject is not null;
create index audit_actor on audit (organization_id, actor_id, seq desc) where actor_id is not null;
create index audit_operation on audit (organization_id, operation, seq desc);
create index audit_at on audit (organization_id, at, seq);
-- the names of those who act; areas whose rows can act add them
create view actor_name as select organization_id, person_id as id, name from membership;

-- mails that are to be sent: written with the change that they are about, deleted when a mail server took them
create table outgoing_mail (
  organization_id text not null,
  -- also the Message-ID, so that a mail that is repeated is the same message
  id text not null,
  -- which letter it is; it is written when it is sent, from `data`: ids, and secrets encrypted
  kind text not null,
  data jsonb not null,
  attempts smallint not null,
  -- also of one that is being sent: a process that dies loses none
  next_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index outgoing_mail_due on outgoing_mail (next_at);

-- the relay's place in each organization and shared room: the last event, the oldest event still kept, the last audit row
create table relay_head (
  organization_id text primary key,
  event_seq bigint not null default 0,
  event_oldest bigint not null default 1,
  audit_seq bigint not null default 0,
  audit_hash text not null default ''
);

-- who may do the relay's work: the highest fence wins, and a stale holder's writes find no row
create table relay_lease (
  name text primary key,
  fence bigint not null,
  holder text not null,
  expires_at timestamptz(3) not null
);
insert into relay_lease (name, fence, holder, expires_at) values ('relay', 0, '', now());
