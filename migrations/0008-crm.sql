-- Leads, clients, contacts, opportunities, budgets, signing links, signatures and the customer portal. See docs/spec/crm.md.

-- The clock that assigns a time to each change of a lead, one row per organization. A transaction that changes leads locks its
-- row last and holds it until the commit, so that GET /leads/sync never misses an earlier change (decision 0016).
create table lead_clock (
  organization_id text primary key references organization (id),
  -- strictly increasing, even if the clock of the machine goes back
  last_change_at timestamptz(3) not null,
  -- the transaction that changed it last
  last_tx xid8 not null,
  -- cursors of another epoch are refused; restoring a backup starts a new epoch
  epoch uuid not null default gen_random_uuid(),
  -- the number of leads per status, without erased ones
  new_count bigint not null default 0,
  contacted_count bigint not null default 0,
  qualified_count bigint not null default 0,
  negotiating_count bigint not null default 0,
  lost_count bigint not null default 0,
  won_count bigint not null default 0
) with (fillfactor = 50);

create table crm_settings (
  organization_id text primary key references organization (id),
  -- ISO 3166: the country of telephone numbers without a country code
  phone_country text not null,
  updated_at timestamptz(3) not null default now()
);

create table crm_client (
  organization_id text not null references organization (id),
  id text not null,
  name text not null,
  -- without case and accents: the order of lists
  name_folded text collate "C" not null,
  -- the text that searches match, one folded value per line, each after a space
  search text not null,
  tax_id text,
  email text,
  phone text,
  address text,
  city text,
  postal_code text,
  -- ISO 3166
  country text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  primary key (organization_id, id)
);
create index crm_client_listed on crm_client (organization_id, (archived_at is not null), name_folded, id);
create index crm_client_search on crm_client using gin (organization_id, search gin_trgm_ops) with (fastupdate = off);

-- the people at a client who receive mail about invoices
create table crm_billing_contact (
  organization_id text not null,
  id text not null,
  client_id text not null,
  name text not null,
  email text not null,
  is_main boolean not null default false,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references crm_client (organization_id, id)
);
create unique index crm_billing_contact_main on crm_billing_contact (organization_id, client_id) where is_main and is_active;
create index crm_billing_contact_of on crm_billing_contact (organization_id, client_id, (not is_main), id);

create table crm_contact (
  organization_id text not null,
  id text not null,
  client_id text,
  -- the lead that was converted into it
  lead_id text,
  first_name text,
  last_name text,
  -- as in crm_client
  name_folded text collate "C" not null,
  search text not null,
  email text,
  -- a keyed hash for look-ups: see server/crm/email.ts
  email_hash bytea,
  phone text,
  phone_e164 text,
  -- invoices of the client may be sent to them
  receives_invoices boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  -- the personal data was removed at the request of the person
  erased_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references crm_client (organization_id, id),
  check (email_hash is null or erased_at is null)
);
create index crm_contact_listed on crm_contact (organization_id, (archived_at is not null), name_folded, id)
  where erased_at is null;
create index crm_contact_of on crm_contact (organization_id, client_id, (archived_at is not null), name_folded, id)
  where erased_at is null and client_id is not null;
create index crm_contact_email on crm_contact (organization_id, client_id, email_hash) where email_hash is not null;
create index crm_contact_search on crm_contact using gin (organization_id, search gin_trgm_ops) with (fastupdate = off)
  where erased_at is null;

create table lead (
  organization_id text not null references organization (id),
  id text not null,
  status text not null check (status in ('NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING', 'LOST', 'WON')),
  email text,
  -- a hash for look-ups under a key of the organization: see server/crm/email.ts
  email_hash bytea,
  phone text,
  -- null if the number could not be parsed
  phone_e164 text,
  first_name text,
  last_name text,
  company text,
  -- names, company and e-mail without case and accents
  search text not null,
  -- sort keys of lists; empty without a value
  last_name_folded text collate "C" not null default '',
  company_folded text collate "C" not null default '',
  stage text,
  source text,
  assignee_id text,
  score smallint check (score between 0 and 100),
  -- leads without a score sort below all others
  score_rank smallint not null generated always as (coalesce(score, -1)) stored,
  temperature text check (temperature in ('COLD', 'WARM', 'HOT')),
  -- encrypted with AES-256-GCM, bound to the organization and the lead
  notes text,
  -- how the lead was lost: the error codes of later actions differ (LEAD-22)
  lost_by text check (lost_by in ('DISQUALIFY', 'TEAM')),
  contact_id text,
  client_id text,
  opportunity_id text,
  qualified_at timestamptz(3),
  lost_at timestamptz(3),
  converted_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- assigned by lead_clock
  updated_at timestamptz(3) not null,
  -- the personal data was removed at the request of the person; the row remains as a tombstone
  erased_at timestamptz(3),
  foreign key (organization_id, assignee_id) references membership (organization_id, person_id),
  foreign key (organization_id, contact_id) references crm_contact (organization_id, id),
  foreign key (organization_id, client_id) references crm_client (organization_id, id),
  check (email is not null or phone is not null or erased_at is not null),
  check ((email is null) = (email_hash is null)),
  check ((status = 'LOST') = (lost_by is not null))
) with (fillfactor = 90);
-- GET /leads/sync, including tombstones
create index lead_sync on lead (organization_id, updated_at, id);
-- GET /leads in each order; the query merges the statuses
create index lead_created on lead (organization_id, status, created_at, id) where erased_at is null;
create index lead_updated on lead (organization_id, status, updated_at, id) where erased_at is null;
create index lead_named on lead (organization_id, status, last_name_folded, id) where erased_at is null;
create index lead_of_company on lead (organization_id, status, company_folded, id) where erased_at is null;
create index lead_scored on lead (organization_id, status, score_rank, id) where erased_at is null;
create index lead_assigned on lead (organization_id, assignee_id, status, created_at, id) where erased_at is null;
create index lead_sourced on lead (organization_id, source, status, created_at, id) where erased_at is null;
create index lead_email on lead (organization_id, email_hash) where email_hash is not null;
create index lead_phone on lead (organization_id, phone_e164) where phone_e164 is not null;
-- starts with the organization, so that a search does not read leads of others. New entries wait in a pending list of at most
-- 256 kB, which every search scans: without the list an import takes 50 % longer
create index lead_search on lead using gin (organization_id, search gin_trgm_ops) with (gin_pending_list_limit = 256)
  where erased_at is null;
-- Created last: on a small table the planner considers all indexes equal, takes the newest, and cached plans keep it. With
-- lead_sync, which also ends with the id, finding a lead would take time proportional to the number of leads
alter table lead add primary key (organization_id, id);

-- A safety net: all writes go through server/crm/leads/clock/lead-clock.sql.ts. GET /leads/sync would miss a write that bypasses
-- the clock, so the trigger refuses it. Correctness does not depend on the trigger.
create function refuse_unstamped_lead() returns trigger language plpgsql as $$
begin
  if not exists (
    select from lead_clock c
    where c.organization_id = new.organization_id and c.last_change_at = new.updated_at and c.last_tx = pg_current_xact_id()
  ) then
    raise exception 'a lead must be written with the time of lead_clock' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create trigger refuse_unstamped_lead before insert or update on lead for each row execute function refuse_unstamped_lead();

-- the history of a lead
create table lead_change (
  organization_id text not null,
  -- changeId in events
  id text not null,
  lead_id text not null,
  action text not null,
  -- a person or an application; null for the system
  actor_id text,
  actor_kind text not null check (actor_kind in ('USER', 'APP', 'SYSTEM')),
  from_status text,
  to_status text not null,
  -- field names, never values
  changed text[] not null default '{}',
  -- the origin that the caller gave
  source text,
  -- removed when the lead is erased
  reason text,
  at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, lead_id) references lead (organization_id, id)
);
create index lead_change_of on lead_change (organization_id, lead_id, at, id);

-- imports of leads from CSV files
create table lead_import (
  organization_id text not null references organization (id),
  id text not null,
  file_name text not null,
  -- STOPPED: failed repeatedly
  status text not null check (status in ('RUNNING', 'DONE', 'STOPPED', 'CANCELLED')),
  -- the caller and its origin, for the audit log
  created_by text not null,
  origin jsonb not null,
  -- the field of each value, and the names of ignored columns
  columns jsonb not null,
  -- numbers of lines
  total integer not null,
  done integer not null default 0,
  created integer not null default 0,
  rejected integer not null default 0,
  -- the first line that was not processed
  stopped_at integer,
  -- errors and duplicates by line number, without values of the file
  line_reports jsonb not null default '[]',
  -- when a worker may claim it; the worker at work extends this lease
  next_run_at timestamptz(3) not null default now(),
  -- consecutive failures
  failures smallint not null default 0,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, created_by) references membership (organization_id, person_id),
  check ((status = 'RUNNING') = (ended_at is null))
);
create unique index lead_import_running on lead_import (organization_id) where status = 'RUNNING';
create index lead_import_due on lead_import (next_run_at) where status = 'RUNNING';
create index lead_import_ended on lead_import (ended_at);

-- lines that wait to be imported; the transaction that creates their leads deletes the part
create table lead_import_part (
  organization_id text not null,
  import_id text not null,
  -- the number of the first line in the file
  line integer not null,
  -- encrypted with AES-256-GCM, bound to organization, import and line
  lines text not null,
  primary key (organization_id, import_id, line),
  foreign key (organization_id, import_id) references lead_import (organization_id, id) on delete cascade
);

create table crm_opportunity (
  organization_id text not null,
  id text not null,
  title text not null,
  title_folded text not null,
  status text not null check (status in ('OPEN', 'WON', 'LOST')),
  stage text,
  client_id text not null,
  contact_id text,
  lead_id text,
  owner_id text,
  amount_cents bigint check (amount_cents between 0 and 1000000000000),
  -- ISO 4217 in lower case, as in the API
  currency text,
  expected_on date,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references crm_client (organization_id, id),
  foreign key (organization_id, contact_id) references crm_contact (organization_id, id),
  foreign key (organization_id, owner_id) references membership (organization_id, person_id)
);
create index crm_opportunity_recent on crm_opportunity (organization_id, created_at, id);
create index crm_opportunity_status on crm_opportunity (organization_id, status, created_at, id);
create index crm_opportunity_of on crm_opportunity (organization_id, client_id, created_at, id);

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
