-- Time stamps of an outside authority over the chain of signatures.

alter table signature_chain
  -- the last position that a time stamp covers
  add column stamped_count bigint not null default 0,
  -- when a worker may obtain the next one; in the future while a worker does
  add column stamp_at timestamptz(3) not null default now(),
  -- failures since the last time stamp
  add column stamp_failures int not null default 0,
  add column stamp_failed_at timestamptz(3),
  -- NOT_REACHED, REFUSED, INVALID or CHAIN_BROKEN
  add column stamp_problem text;

create table signature_time_stamp (
  organization_id text not null,
  -- the last position of the chain that it covers
  number bigint not null,
  -- the evidence hash there, which the authority stamped
  evidence_hash text not null check (evidence_hash ~ '^[0-9a-f]{64}$'),
  stamped_at timestamptz(3) not null,
  authority text not null,
  -- an object identifier
  policy text not null,
  serial_number text not null,
  -- the whole reply of the authority (RFC 3161)
  reply bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, number),
  foreign key (organization_id, number) references budget_signature (organization_id, number)
);
create trigger signature_time_stamp_is_immutable before update or delete on signature_time_stamp
  for each row execute function refuse_change();

-- Seals: signatures of the organization inside the PDF of a signed budget.

create table seal_certificate (
  organization_id text primary key references organization (id),
  subject text not null,
  issuer text not null,
  serial_number text not null,
  valid_from timestamptz(3) not null,
  valid_until timestamptz(3) not null,
  -- the PKCS#12 file and its passphrase, encrypted
  pkcs12 text not null,
  created_at timestamptz(3) not null default now()
);

create table budget_seal (
  organization_id text not null,
  budget_id text not null,
  signature_id text not null,
  created_at timestamptz(3) not null default now(),
  -- when a worker may seal the document; in the future while a worker does, and infinite until another certificate comes
  seal_at timestamptz(3) not null default now(),
  failures int not null default 0,
  -- why the last attempt failed
  problem text check (problem in ('NO_CERTIFICATE', 'CERTIFICATE_NOT_VALID', 'DOCUMENT_NOT_READ', 'TIME_STAMP_FAILED', 'FAILED')),
  -- SHA-256 of the sealed PDF in hex, which is also its key in the file store; null until it is sealed
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  sealed_at timestamptz(3),
  -- of the certificate
  subject text,
  has_time_stamp boolean,
  primary key (organization_id, budget_id),
  foreign key (organization_id, budget_id) references budget (organization_id, id),
  foreign key (organization_id, signature_id) references budget_signature (organization_id, id),
  check ((sha256 is null) = (sealed_at is null))
);
create index budget_seal_due on budget_seal (seal_at) where sha256 is null;
create index budget_seal_waiting on budget_seal (organization_id, budget_id) where sha256 is null;
create index budget_seal_content on budget_seal (sha256);

-- keeps the garbage collection from deleting these files
create or replace view file_reference as
  select sha256 from asset_file union all select sha256 from market_release_file
  union all select sha256 from budget_document union all select sha256 from chat_file
  union all select sha256 from crm_logo union all select sha256 from budget_seal where sha256 is not null;
