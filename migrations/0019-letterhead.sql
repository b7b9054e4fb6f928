-- How budgets and invoices look, and where they are paid.

create table crm_letterhead (
  organization_id text primary key references organization (id),
  -- #rrggbb
  accent_color text,
  account_holder text,
  iban text,
  bic text,
  footer text,
  logo_sha256 text check (logo_sha256 ~ '^[0-9a-f]{64}$'),
  logo_content_type text,
  updated_at timestamptz(3) not null default now()
);

-- every logo of an organization: issued invoices keep showing the one of their time
create table crm_logo (
  organization_id text not null references organization (id),
  -- SHA-256 of the picture in hex, which is also its key in the file store
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, sha256)
);
create index crm_logo_object on crm_logo (sha256);

-- keeps the garbage collection from deleting these files
create or replace view file_reference as
  select sha256 from asset_file union all select sha256 from market_release_file
  union all select sha256 from budget_document union all select sha256 from chat_file
  union all select sha256 from crm_logo;

-- the letterhead at the time of issue; null for an invoice that was issued before there was one
alter table invoice add column letterhead jsonb;
