-- Records of invoices for the Spanish tax office (RD 1007/2023). See docs/spec/billing.md, TAX-1 and after.

-- whether issuing writes records (KEEP), and whether they are also sent (SEND); OFF: neither
alter table billing_settings add column tax_record_mode text not null default 'OFF';
-- how invoices are recorded, and the producer of the software; null until records are turned on
alter table billing_settings add column tax_record_options jsonb;

-- the mode at the time of issue, KEEP or SEND; null: the invoice has no record
alter table invoice add column tax_record_mode text;

-- the head of each chain of records, one for each tax id of the issuer; its lock orders the records
create table tax_record_chain (
  organization_id text not null references organization (id),
  issuer_nif text not null,
  -- the last record; 0 and nulls while there is none
  last_number bigint not null default 0,
  last_invoice_number text,
  last_issue_date date,
  last_hash text,
  last_created_at timestamptz(3),
  -- records up to this number have an answer, and those up to the other one were transmitted at least once
  answered_through bigint not null default 0,
  tried_through bigint not null default 0,
  accepted_count bigint not null default 0,
  accepted_with_errors_count bigint not null default 0,
  rejected_count bigint not null default 0,
  -- when the next records are sent; null: nothing is to be sent
  next_send_at timestamptz(3),
  -- the tax office does not accept records before
  wait_until timestamptz(3),
  -- the process that is sending
  lease text,
  failure_count integer not null default 0,
  last_attempt_at timestamptz(3),
  -- null: the last attempt got an answer
  last_failure text,
  primary key (organization_id, issuer_nif)
);
create index tax_record_chain_due on tax_record_chain (next_send_at) where next_send_at is not null;

-- never changed but for the answer of the tax office
create table tax_record (
  organization_id text not null,
  issuer_nif text not null,
  -- the position in the chain, from 1
  number bigint not null check (number > 0),
  invoice_id text not null,
  kind text not null check (kind in ('REGISTRATION', 'CANCELLATION')),
  invoice_number text not null,
  issue_date date not null,
  -- everything else that the record contains, see record-content.ts
  content jsonb not null,
  -- with the offset of its time zone, as the hash covers it
  generation_time text not null,
  previous_invoice_number text,
  previous_issue_date date,
  previous_hash text,
  -- SHA-256, capital hexadecimal digits
  hash text not null check (hash ~ '^[0-9A-F]{64}$'),
  created_at timestamptz(3) not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'ACCEPTED', 'ACCEPTED_WITH_ERRORS', 'REJECTED')),
  answered_at timestamptz(3),
  error_code text,
  error_text text,
  -- the secure verification code of the answer
  csv text,
  primary key (organization_id, issuer_nif, number),
  foreign key (organization_id, issuer_nif) references tax_record_chain (organization_id, issuer_nif),
  foreign key (organization_id, invoice_id) references invoice (organization_id, id)
);
create index tax_record_of_invoice on tax_record (organization_id, invoice_id, number);
create index tax_record_by_time on tax_record (organization_id, created_at, issuer_nif, number);
create index tax_record_problem on tax_record (organization_id, answered_at, issuer_nif, number)
  where state in ('ACCEPTED_WITH_ERRORS', 'REJECTED');
