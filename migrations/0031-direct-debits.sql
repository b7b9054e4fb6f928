-- SEPA direct debits. A direct debit is a charge attempt of the kind DIRECT_DEBIT, so that an invoice is collected once,
-- however it is paid: it is PROCESSING, without a gateway, until the bank reports its result.

-- the organization as a creditor; its row is also the lock of mandates and new remittances
create table direct_debit_creditor (
  organization_id text not null references organization (id),
  name text not null,
  identifier text not null,
  iban text not null,
  bic text,
  primary key (organization_id)
);

create table direct_debit_mandate (
  organization_id text not null,
  id text not null,
  client_id text not null,
  reference text not null,
  debtor_name text not null,
  -- encrypted; the country and the last four characters are shown
  iban text not null,
  iban_country text not null,
  iban_end text not null,
  bic text,
  scheme text not null check (scheme in ('CORE', 'B2B')),
  kind text not null check (kind in ('RCUR', 'OOFF')),
  signed_on date not null,
  last_collected_on date,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  cancelled_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references crm_client (organization_id, id)
);
create unique index direct_debit_mandate_reference on direct_debit_mandate (organization_id, upper(reference));
create index direct_debit_mandate_of_client on direct_debit_mandate (organization_id, client_id, created_at, id);
create index direct_debit_mandate_recent on direct_debit_mandate (organization_id, created_at, id);

create table direct_debit_remittance (
  organization_id text not null references organization (id),
  id text not null,
  state text not null check (state in ('PREPARED', 'SENT', 'CANCELLED')),
  collection_date date not null,
  -- the creditor when it was prepared
  creditor jsonb not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  cancelled_at timestamptz(3),
  primary key (organization_id, id)
);
create index direct_debit_remittance_recent on direct_debit_remittance (organization_id, created_at, id);

create table direct_debit (
  organization_id text not null,
  -- that of its charge attempt, and the end-to-end id in the files of the bank
  id text not null,
  remittance_id text not null,
  mandate_id text not null,
  -- null until the bank reports a result
  outcome text check (outcome in ('COLLECTED', 'REJECTED', 'RETURNED', 'CANCELLED')),
  -- a rejection that was recorded before a late collection is not a return of it
  rejected_at timestamptz(3),
  reason_code text,
  primary key (organization_id, id),
  foreign key (organization_id, id) references charge_attempt (organization_id, id),
  foreign key (organization_id, remittance_id) references direct_debit_remittance (organization_id, id),
  foreign key (organization_id, mandate_id) references direct_debit_mandate (organization_id, id)
);
create index direct_debit_of_remittance on direct_debit (organization_id, remittance_id, id);
create index direct_debit_of_mandate on direct_debit (organization_id, mandate_id);

-- contract: the version that still runs neither writes this kind nor polls it, and it blocks other payments there too
alter table charge_attempt drop constraint charge_attempt_kind_check;
alter table charge_attempt add constraint charge_attempt_kind_check
  check (kind in ('OFF_SESSION', 'ON_SESSION', 'DIRECT_DEBIT')) not valid;
alter table charge_attempt alter column gateway_account_id drop not null;
alter table charge_attempt add constraint charge_attempt_gateway_check
  check ((kind = 'DIRECT_DEBIT') = (gateway_account_id is null)) not valid;
