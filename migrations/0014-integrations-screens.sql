-- Requests of organizations for critical scopes, and the tags of assets as a list reads them.

-- a person asks the operators to grant a critical scope to an application (SCP-8)
create table application_scope_request (
  organization_id text not null,
  id text collate "C" not null,
  application_id text not null,
  scope text not null,
  purpose text not null,
  requested_by text not null,
  requested_at timestamptz(3) not null default clock_timestamp(),
  status text not null default 'OPEN' check (status in ('OPEN', 'GRANTED', 'REFUSED', 'WITHDRAWN')),
  closed_at timestamptz(3),
  -- the operator who answered it, and the answer in words
  answered_by text,
  answer text,
  primary key (organization_id, id),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade,
  foreign key (organization_id, requested_by) references membership (organization_id, person_id),
  check ((status = 'OPEN') = (closed_at is null))
);
create unique index application_scope_request_open on application_scope_request (organization_id, application_id, scope)
  where status = 'OPEN';
create index application_scope_request_application on application_scope_request (organization_id, application_id, id);
-- operators read the requests of every organization
create index application_scope_request_id on application_scope_request (id);
create index application_scope_request_status on application_scope_request (status, id);

-- the tags of assets, for lists by tag. No foreign key: the purge deletes the rows of an asset by its tags
create table asset_tag (
  organization_id text not null,
  tag text collate "C" not null,
  asset_id text not null,
  primary key (organization_id, tag, asset_id)
);
insert into asset_tag (organization_id, tag, asset_id)
  select a.organization_id, t.tag, a.id from asset a cross join unnest(a.tags) as t (tag) on conflict do nothing;
