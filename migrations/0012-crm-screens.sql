-- For the screens of customer relations: searches in budgets and opportunities, filters of leads, the state of the lead
-- synchronization, and saved views of lists.

-- as server/platform/fold.ts folds it, which writes it from now on; null: the budget was not written since
alter table budget add column title_folded text;
-- the text that searches match, as in crm_client: one folded value per line, each after a space
create function budget_search_text(code text, title text, title_folded text) returns text
language sql immutable parallel safe as $$
  select ' ' || lower(regexp_replace(normalize(code, NFKD), '[\u0300-\u036f]', '', 'g')) || E'\n ' || coalesce(title_folded,
    normalize(translate(
      replace(replace(replace(replace(
        lower(regexp_replace(normalize(title, NFKD), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      'øđłðıħŋĸſ', 'odldihnks'), NFC))
$$;

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
