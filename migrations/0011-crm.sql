-- Leads and what they become: contacts of clients, and opportunities. See docs/spec/crm.md.

-- an index of parts of words that keeps organizations apart
create extension if not exists btree_gin;

-- Which moment the next change of a lead gets, in each organization. Whoever changes leads takes it last and holds it until
-- the commit, so that what a reader of GET /leads/sync has seen is never followed by something earlier (decision 0016).
create table lead_clock (
  organization_id text primary key references organization (id),
  -- the moment of the last change; each is later than the one before, whatever the machine's clock says
  last_change_at timestamptz(3) not null,
  -- the transaction that holds it, or held it last
  last_tx xid8 not null,
  -- cursors of another epoch are refused: a new one is drawn when the clock was repaired or a backup restored
  epoch uuid not null default gen_random_uuid(),
  -- how many leads there are of each status, those that were erased left out
  new_count bigint not null default 0,
  contacted_count bigint not null default 0,
  qualified_count bigint not null default 0,
  negotiating_count bigint not null default 0,
  lost_count bigint not null default 0,
  won_count bigint not null default 0
) with (fillfactor = 50);

create table crm_settings (
  organization_id text primary key references organization (id),
  -- ISO 3166: how telephone numbers without a country are read
  phone_country text not null,
  updated_at timestamptz(3) not null default now()
);

create table crm_client (
  organization_id text not null references organization (id),
  id text not null,
  name text not null,
  -- without capitals and accents: lists are in its order
  name_folded text collate "C" not null,
  -- the same, and what else lists are searched by, each line with a space before it
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

-- who at a client is written to about money; the main one first
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
  -- the lead that it was
  lead_id text,
  first_name text,
  last_name text,
  -- as those of clients
  name_folded text collate "C" not null,
  search text not null,
  email text,
  -- the e-mail as it is looked up, under a key: see server/crm/email.ts
  email_hash bytea,
  phone text,
  phone_e164 text,
  -- invoices of the client may be sent to them
  receives_invoices boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  -- on request of the person: nothing of them is left
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
  -- the e-mail as it is looked up, under a key of the organization: see server/crm/email.ts
  email_hash bytea,
  phone text,
  -- the same as it is dialled from anywhere; null when it could not be read
  phone_e164 text,
  first_name text,
  last_name text,
  company text,
  -- names, company and e-mail without capitals and accents: searched by it
  search text not null,
  -- the same of what lists are ordered by; empty when there is none
  last_name_folded text collate "C" not null default '',
  company_folded text collate "C" not null default '',
  stage text,
  source text,
  assignee_id text,
  score smallint check (score between 0 and 100),
  -- what has no score comes below all others
  score_rank smallint not null generated always as (coalesce(score, -1)) stored,
  temperature text check (temperature in ('COLD', 'WARM', 'HOT')),
  -- under AES-256-GCM, bound to the organization and the lead
  notes text,
  -- LOST by the action disqualify, or set so by the team: the refusals differ (LEAD-22)
  lost_by text check (lost_by in ('DISQUALIFY', 'TEAM')),
  contact_id text,
  client_id text,
  opportunity_id text,
  qualified_at timestamptz(3),
  lost_at timestamptz(3),
  converted_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- given by lead_clock: in an organization each is later than all that could be seen before it
  updated_at timestamptz(3) not null,
  -- on request of the person: nothing of them is left but that there was a lead
  erased_at timestamptz(3),
  foreign key (organization_id, assignee_id) references membership (organization_id, person_id),
  foreign key (organization_id, contact_id) references crm_contact (organization_id, id),
  foreign key (organization_id, client_id) references crm_client (organization_id, id),
  check (email is not null or phone is not null or erased_at is not null),
  check ((email is null) = (email_hash is null)),
  check ((status = 'LOST') = (lost_by is not null))
) with (fillfactor = 90);
-- GET /leads/sync: all of them, tombstones too
create index lead_sync on lead (organization_id, updated_at, id);
-- GET /leads, in each of its orders; statuses are merged
create index lead_created on lead (organization_id, status, created_at, id) where erased_at is null;
create index lead_updated on lead (organization_id, status, updated_at, id) where erased_at is null;
create index lead_named on lead (organization_id, status, last_name_folded, id) where erased_at is null;
create index lead_of_company on lead (organization_id, status, company_folded, id) where erased_at is null;
create index lead_scored on lead (organization_id, status, score_rank, id) where erased_at is null;
create index lead_assigned on lead (organization_id, assignee_id, status, created_at, id) where erased_at is null;
create index lead_sourced on lead (organization_id, source, status, created_at, id) where erased_at is null;
create index lead_email on lead (organization_id, email_hash) where email_hash is not null;
create index lead_phone on lead (organization_id, phone_e164) where phone_e164 is not null;
-- with the organization, so that leads of others are not read. What is new waits in a list of at most 256 kB, which every
-- search reads through: without it an import takes half as long again
create index lead_search on lead using gin (organization_id, search gin_trgm_ops) with (gin_pending_list_limit = 256)
  where erased_at is null;
-- Made last: while a table is small all its indexes look equally good, the planner takes the last of them, and plans are
-- kept. By lead_sync, which ends with the id as well, finding a lead takes longer with each lead that there is
alter table lead add primary key (organization_id, id);

-- A net, not the rule: every write goes through server/crm/leads/clock/lead-clock.sql.ts. One that passes it by would be missed by
-- readers of changes, so it is refused. Nothing is read from it: the schema works the same without.
create function refuse_unstamped_lead() returns trigger language plpgsql as $$
begin
  if not exists (
    select from lead_clock c
    where c.organization_id = new.organization_id and c.last_change_at = new.updated_at and c.last_tx = pg_current_xact_id()
  ) then
    raise exception 'a lead is written with the moment of lead_clock' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger refuse_unstamped_lead before insert or update on lead for each row execute function refuse_unstamped_lead();

-- what happened to a lead, for the people who work it
create table lead_change (
  organization_id text not null,
  -- told in notices as changeId
  id text not null,
  lead_id text not null,
  action text not null,
  -- a person or an application; null: the product itself
  actor_id text,
  actor_kind text not null check (actor_kind in ('USER', 'APP', 'SYSTEM')),
  from_status text,
  to_status text not null,
  -- names of the fields, never their values
  changed text[] not null default '{}',
  -- where the change came from, as its maker says
  source text,
  -- as it was given; taken away when the lead is erased
  reason text,
  at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, lead_id) references lead (organization_id, id)
);
create index lead_change_of on lead_change (organization_id, lead_id, at, id);

-- files that become leads, part by part
create table lead_import (
  organization_id text not null references organization (id),
  id text not null,
  file_name text not null,
  -- STOPPED: the server could not go on
  status text not null check (status in ('RUNNING', 'DONE', 'STOPPED', 'CANCELLED')),
  -- who asked for it and from where, for the audit log
  created_by text not null,
  origin jsonb not null,
  -- which value of a line is which field, and the names of the columns that are passed over
  columns jsonb not null,
  -- lines
  total integer not null,
  done integer not null default 0,
  created integer not null default 0,
  rejected integer not null default 0,
  -- the first line that was not looked at
  stopped_at integer,
  -- what is said of lines: their numbers, and nothing that stands in them
  line_reports jsonb not null default '[]',
  -- when a worker looks at it; whoever is at work on it moves that ahead
  next_run_at timestamptz(3) not null default now(),
  -- in a row
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

-- lines that are to become leads; a part goes with the commit that makes leads of it
create table lead_import_part (
  organization_id text not null,
  import_id text not null,
  -- the number of its first line in the file
  line integer not null,
  -- the values of its lines under AES-256-GCM, bound to their place
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
  -- ISO 4217, in small letters as everywhere on the wire
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
