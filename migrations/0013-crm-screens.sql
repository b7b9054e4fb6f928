-- For the screens of customer relations: searches in budgets and opportunities, filters of leads, the state of the lead
-- synchronization, and saved views of lists.

-- the text that searches match, as in crm_client: one folded value per line, each after a space
alter table crm_opportunity add column search text not null generated always as (' ' || title_folded) stored;
create index crm_opportunity_search on crm_opportunity using gin (organization_id, search gin_trgm_ops) with (fastupdate = off);

-- as server/platform/fold.ts folds it, which writes it from now on
alter table budget add column title_folded text not null default '';
update budget set title_folded = normalize(translate(
  replace(replace(replace(replace(
    lower(regexp_replace(normalize(title, NFKD), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
  'øđłðıħŋĸſ', 'odldihnks'), NFC);
alter table budget add column search text not null generated always as (
  ' ' || lower(regexp_replace(normalize(code, NFKD), '[\u0300-\u036f]', '', 'g')) || E'\n ' || title_folded) stored;
create index budget_search on budget using gin (organization_id, search gin_trgm_ops) with (fastupdate = off);

-- further filters of GET /leads; leads without the value take no room
create index lead_staged on lead (organization_id, stage, status, created_at, id) where erased_at is null and stage is not null;
create index lead_by_temperature on lead (organization_id, temperature, status, created_at, id)
  where erased_at is null and temperature is not null;

-- the last call of GET /leads/sync by each application, for people who look after the synchronization
create table lead_sync_reader (
  organization_id text not null,
  application_id text not null,
  called_at timestamptz(3) not null,
  -- the position of its nextCursor: every change up to there has been read
  position_at timestamptz(3) not null,
  position_id text not null,
  primary key (organization_id, application_id),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
) with (fillfactor = 50);

-- saved filters of lists; the filters are query parameters of the list
create table saved_view (
  organization_id text not null,
  id text not null,
  list text not null,
  name text not null,
  filters jsonb not null,
  owner_id text not null,
  -- false: only the owner sees it
  is_shared boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, owner_id) references membership (organization_id, person_id)
);
create index saved_view_of on saved_view (organization_id, owner_id, list, lower(name), id);
create index saved_view_shared on saved_view (organization_id, list, lower(name), id) where is_shared;
