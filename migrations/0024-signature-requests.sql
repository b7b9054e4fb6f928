-- Several people sign a budget, all at once or one after another.

create table signature_request (
  organization_id text not null,
  id text not null,
  budget_id text not null,
  -- the PDF that every signer signs
  document_id text not null,
  -- the lifetime of each link in days
  link_days smallint not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'COMPLETED', 'DECLINED', 'STOPPED')),
  -- only of a stopped one
  stop_reason text,
  -- receives the mail when it ends early
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, budget_id) references budget (organization_id, id),
  foreign key (organization_id, document_id) references budget_document (organization_id, id)
);
-- at most one open request per budget
create unique index signature_request_open on signature_request (organization_id, budget_id) where status = 'OPEN';
create index signature_request_of on signature_request (organization_id, budget_id, created_at, id);

create table signature_request_signer (
  organization_id text not null,
  id text not null,
  request_id text not null,
  -- the place among the signers, from 1
  position smallint not null,
  -- signers with the same number sign at the same time, and after all with lower ones
  signing_order smallint not null,
  name text not null,
  email text not null,
  -- the latest link; null before it is this signer's turn. Without a foreign key, because links may be deleted
  link_id text,
  signature_id text,
  primary key (organization_id, id),
  constraint signature_request_signer_position unique (organization_id, request_id, position),
  foreign key (organization_id, request_id) references signature_request (organization_id, id),
  foreign key (organization_id, signature_id) references budget_signature (organization_id, id)
);
-- to erase people who were asked to sign and did not
create index signature_request_signer_email on signature_request_signer (organization_id, lower(email))
  where signature_id is null;

-- null for a link that was issued to one signer alone
alter table signing_link add column signature_request_id text;

-- the request, and the place of the signature among its signers; null for the signature of a single signer
alter table budget_signature add column signature_request_id text, add column place smallint, add column places smallint;
