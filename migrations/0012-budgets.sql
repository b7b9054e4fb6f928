-- Budgets, signing links, signatures and the customer portal. See docs/spec/crm.md.

-- the details of the organization on budgets and invoices
create table crm_issuer (
  organization_id text primary key references organization (id),
  legal_name text not null,
  tax_id text not null,
  address text not null,
  city text not null,
  postal_code text not null,
  -- ISO 3166
  country text not null,
  email text,
  phone text,
  -- ISO 4217 in lower case, as in the API
  currency text not null,
  updated_at timestamptz(3) not null default now()
);

-- the last number of each year
create table budget_counter (
  organization_id text not null references organization (id),
  year integer not null,
  last integer not null,
  primary key (organization_id, year)
);

create table budget (
  organization_id text not null references organization (id),
  id text not null,
  -- P-2026-0001
  code text not null,
  title text not null,
  status text not null check (status in ('DRAFT', 'SENT', 'SIGNED', 'DECLINED', 'CANCELLED')),
  client_id text not null,
  contact_id text,
  opportunity_id text,
  owner_id text,
  issue_date date not null,
  valid_until date,
  currency text not null,
  -- sections, items, discounts and taxes as in the API, with all computed amounts; always read and written as a whole
  content jsonb not null,
  subtotal_cents bigint not null,
  discount_cents bigint not null,
  tax_cents bigint not null,
  total_cents bigint not null,
  conditions text,
  notes text,
  -- hidden from the client
  internal_notes text,
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  signed_at timestamptz(3),
  declined_at timestamptz(3),
  decline_reason text,
  primary key (organization_id, id),
  constraint budget_code unique (organization_id, code),
  foreign key (organization_id, client_id) references crm_client (organization_id, id),
  foreign key (organization_id, contact_id) references crm_contact (organization_id, id),
  foreign key (organization_id, opportunity_id) references crm_opportunity (organization_id, id),
  foreign key (organization_id, owner_id) references membership (organization_id, person_id)
);
create index budget_recent on budget (organization_id, created_at, id);
create index budget_status on budget (organization_id, status, created_at, id);
create index budget_of on budget (organization_id, client_id, created_at, id);

-- the PDFs to sign, which are never changed or deleted
create table budget_document (
  organization_id text not null,
  id text not null,
  budget_id text not null,
  -- SHA-256 of the PDF in hex, which is also its key in the file store
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, budget_id) references budget (organization_id, id)
);
create index budget_document_of on budget_document (organization_id, budget_id, id);
create index budget_document_content on budget_document (sha256);
-- keeps the garbage collection from deleting these files
create or replace view file_reference as
  select sha256 from asset_file union all select sha256 from market_release_file
  union all select sha256 from budget_document;
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are immutable', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
create trigger budget_document_is_immutable before update or delete on budget_document
  for each row execute function refuse_change();

create table signing_link (
  organization_id text not null,
  id text not null,
  budget_id text not null,
  signer_name text not null,
  signer_email text not null,
  -- SHA-256 of 32 random bytes, which are not stored
  token_digest bytea not null,
  -- the PDF to sign; null if it could not be created
  document_id text,
  created_by text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- when the mail with the current secret was sent
  mailed_at timestamptz(3),
  viewed_at timestamptz(3),
  revoked_at timestamptz(3),
  used_at timestamptz(3),
  declined_at timestamptz(3),
  primary key (organization_id, id),
  constraint signing_link_token unique (organization_id, token_digest),
  foreign key (organization_id, budget_id) references budget (organization_id, id),
  foreign key (organization_id, document_id) references budget_document (organization_id, id)
);
-- at most one open link per signer
create unique index signing_link_open on signing_link (organization_id, budget_id, lower(signer_email))
  where revoked_at is null and used_at is null and declined_at is null;
-- to erase people who were asked to sign and did not
create index signing_link_signer on signing_link (organization_id, lower(signer_email)) where used_at is null;
create index signing_link_of on signing_link (organization_id, budget_id, created_at, id);

-- the head of the hash chain of signatures of an organization
create table signature_chain (
  organization_id text primary key references organization (id),
  count bigint not null,
  -- of the last signature
  evidence_hash text
);

create table budget_signature (
  organization_id text not null,
  id text not null,
  budget_id text not null,
  -- without a foreign key: links may be deleted, signatures may not
  signing_link_id text,
  document_id text,
  via text not null check (via in ('LINK', 'PORTAL', 'IMPORT')),
  signed_at timestamptz(3) not null,
  signer_name text not null,
  signer_email text not null,
  ip inet not null,
  -- the part that is shown
  ip_masked text not null,
  user_agent text not null,
  document_hash text not null check (document_hash ~ '^[0-9a-f]{64}$'),
  hash_version smallint not null check (hash_version in (1, 2, 3)),
  -- SHA-256 of the consent text
  consent_hash text,
  -- the position in the chain
  number bigint not null,
  evidence_hash text not null check (evidence_hash ~ '^[0-9a-f]{64}$'),
  previous_evidence_hash text,
  primary key (organization_id, id),
  constraint budget_signature_number unique (organization_id, number),
  foreign key (organization_id, budget_id) references budget (organization_id, id),
  foreign key (organization_id, document_id) references budget_document (organization_id, id)
);
-- to find the signatures of a file
create index budget_signature_file on budget_signature (document_hash) where hash_version = 3;
create index budget_signature_of on budget_signature (organization_id, budget_id, signed_at, id);
create trigger budget_signature_is_immutable before update or delete on budget_signature
  for each row execute function refuse_change();

-- single-use links in mails that open the customer portal
create table portal_link (
  organization_id text not null,
  id text not null,
  contact_id text not null,
  -- SHA-256 of 32 random bytes, which are not stored
  token_digest bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (organization_id, id),
  constraint portal_link_token unique (organization_id, token_digest),
  foreign key (organization_id, contact_id) references crm_contact (organization_id, id)
);
create index portal_link_of on portal_link (organization_id, contact_id);

-- sessions of the customer portal
create table portal_session (
  organization_id text not null,
  -- SHA-256 of 32 random bytes, which are not stored
  token_digest bytea not null,
  contact_id text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (organization_id, token_digest),
  foreign key (organization_id, contact_id) references crm_contact (organization_id, id)
);
create index portal_session_of on portal_session (organization_id, contact_id);

-- the history of a budget and its links, for the certificate
create table budget_event (
  organization_id text not null,
  id text not null,
  budget_id text not null,
  signing_link_id text,
  kind text not null,
  -- a member of the organization; null for the signer or the system
  actor_id text,
  ip inet,
  user_agent text,
  at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, budget_id) references budget (organization_id, id)
);
create index budget_event_of on budget_event (organization_id, budget_id, at, id);
