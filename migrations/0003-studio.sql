-- The studio: assets with versions and files, their counters and search index, collections, links and shares.

-- sets of departments, each under a digest of its members. Assets of one set are counted together, so that the number of
-- assets that a person may read is a sum of few rows
create table department_set (
  organization_id text not null,
  id text not null,
  department_id text not null,
  primary key (organization_id, id, department_id),
  foreign key (organization_id, department_id) references unit (organization_id, id) on delete cascade
);
create index department_set_member on department_set (organization_id, department_id, id);

create table asset (
  organization_id text not null references organization (id),
  id text not null,
  type text not null check (type in ('PROMPT', 'SKILL', 'AGENT', 'COMMAND', 'PLUGIN')),
  slug text not null,
  name text not null,
  -- lower case without accents, ordered by code point: the same order on every machine
  name_folded text collate "C" not null,
  description text not null,
  icon_name text,
  color text,
  visibility text not null
    check (visibility in ('PRIVATE', 'DEPARTMENT', 'WORKSPACE', 'ORGANIZATION', 'MARKETPLACE')),
  -- empty: no departments
  department_set text not null,
  tags text[] not null,
  status text not null check (status in ('DRAFT', 'PUBLISHED', 'ARCHIVED')),
  author_id text not null,
  -- copied from the versions for lists
  current_version_id text not null,
  current_version text not null,
  current_published_at timestamptz(3),
  published_version text,
  verified_version_id text,
  verified_version text,
  verified_by text,
  verified_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- deleted assets are retained for restoring, with everything that decides who may read them
  deleted_at timestamptz(3),
  deleted_by text,
  listed boolean not null generated always as (deleted_at is null) stored,
  primary key (organization_id, id),
  foreign key (organization_id, author_id) references membership (organization_id, person_id)
);
-- one index per kind of access bucket: readable by everyone, by departments, by the author
create index asset_recent on asset (organization_id, visibility, status, type, updated_at, id) where listed;
create index asset_recent_set on asset (organization_id, department_set, status, type, updated_at, id)
  where listed and visibility = 'DEPARTMENT';
create index asset_recent_author on asset (organization_id, author_id, updated_at, id) where listed;
create index asset_name on asset (organization_id, visibility, status, type, name_folded, id) where listed;
create index asset_name_set on asset (organization_id, department_set, status, type, name_folded, id)
  where listed and visibility = 'DEPARTMENT';
create index asset_name_author on asset (organization_id, author_id, name_folded, id) where listed;
-- names that start with the searched text
create index asset_named on asset (organization_id, name_folded, id) where listed;
create index asset_deleted on asset (deleted_at) where deleted_at is not null;
-- assets that can be restored
create index asset_restorable on asset (organization_id, deleted_at, id) where deleted_at is not null;

-- counters in a table of their own, so that a use does not rewrite the asset. The other columns are copies of the asset's
-- for lists by popularity
create table asset_counter (
  organization_id text not null,
  asset_id text not null,
  usage_count integer not null default 0,
  thumbs_up integer not null default 0,
  thumbs_down integer not null default 0,
  score integer not null generated always as (thumbs_up - thumbs_down) stored,
  created_at timestamptz(3) not null,
  type text not null,
  status text not null,
  visibility text not null,
  department_set text not null,
  author_id text not null,
  listed boolean not null default true,
  primary key (organization_id, asset_id),
  foreign key (organization_id, asset_id) references asset (organization_id, id) on delete cascade
);
create index asset_popular on asset_counter
  (organization_id, visibility, status, type, usage_count, score, created_at, asset_id) where listed;
create index asset_popular_set on asset_counter
  (organization_id, department_set, status, type, usage_count, score, created_at, asset_id)
  where listed and visibility = 'DEPARTMENT';
create index asset_popular_author on asset_counter
  (organization_id, author_id, usage_count, score, created_at, asset_id) where listed;

-- how many listed assets there are: of everybody ('' as author), of each set of departments, of each author.
-- The rows of everybody are split, so that creations at the same time do not wait for each other
create table asset_bucket_count (
  organization_id text not null,
  author_id text not null,
  visibility text not null,
  department_set text not null,
  shard smallint not null,
  -- one number for each status and type, see asset-counters.sql.ts
  counts integer[] not null,
  primary key (organization_id, author_id, visibility, department_set, shard)
);

-- current and former slugs. The row reserves the slug and is inserted before the asset
create table asset_slug (
  organization_id text not null,
  slug text not null,
  asset_id text not null,
  is_current boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, slug)
);
create index asset_slug_asset on asset_slug (organization_id, asset_id);

-- the last number that was appended to a slug that was taken
create table asset_slug_number (
  organization_id text not null,
  slug text not null,
  last_number integer not null,
  primary key (organization_id, slug)
);

create table asset_version (
  organization_id text not null,
  asset_id text not null,
  id text not null,
  version text not null,
  -- the order of the history: counts from 1 within the asset, without gaps, because versions are never deleted
  ordinal integer not null,
  -- sorts versions by precedence, see versions/version.rules.ts
  precedence text collate "C" not null,
  description text not null,
  body_markdown text not null,
  -- json keeps the order of the fields, unlike jsonb
  frontmatter json not null,
  -- the text of imported front matter, with comments
  frontmatter_text text,
  changelog text,
  -- SHA-256 of the content
  content_hash text not null,
  published_at timestamptz(3),
  published_by text,
  restored_from text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint asset_version_number unique (organization_id, asset_id, version),
  constraint asset_version_ordinal unique (organization_id, asset_id, ordinal),
  foreign key (organization_id, asset_id) references asset (organization_id, id) on delete cascade
);
create index asset_version_precedence on asset_version (organization_id, asset_id, precedence);

-- one row per use. No foreign keys, so that a use costs one insert
create table asset_use (
  organization_id text not null,
  id text not null,
  asset_id text not null,
  person_id text not null,
  entity_type text,
  entity_id text,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index asset_use_asset on asset_use (organization_id, asset_id, id);

create table asset_reaction (
  organization_id text not null,
  asset_id text not null,
  person_id text not null,
  positive boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, asset_id, person_id),
  foreign key (organization_id, asset_id) references asset (organization_id, id) on delete cascade
);

create table collection (
  organization_id text not null references organization (id),
  id text not null,
  parent_id text,
  name text not null,
  -- without case and accents: unique among siblings, and their order
  name_folded text collate "C" not null,
  description text not null default '',
  icon_name text,
  color text,
  position integer not null default 0,
  owner_id text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, parent_id) references collection (organization_id, id),
  foreign key (organization_id, owner_id) references membership (organization_id, person_id)
);
create unique index collection_name on collection (organization_id, coalesce(parent_id, ''), name_folded);
create index collection_order on collection (organization_id, position, name_folded, id);
create index collection_children on collection (organization_id, parent_id, position, name_folded, id);

create table collection_asset (
  organization_id text not null,
  collection_id text not null,
  asset_id text not null,
  added_by text not null,
  added_at timestamptz(3) not null default now(),
  primary key (organization_id, collection_id, asset_id),
  foreign key (organization_id, collection_id) references collection (organization_id, id) on delete cascade,
  foreign key (organization_id, asset_id) references asset (organization_id, id) on delete cascade
);
create index collection_asset_asset on collection_asset (organization_id, asset_id, collection_id);

-- how many listed assets are filed in each collection; rows and counts as in asset_bucket_count
create table collection_bucket_count (
  organization_id text not null,
  collection_id text not null,
  author_id text not null,
  visibility text not null,
  department_set text not null,
  shard smallint not null,
  counts integer[] not null,
  primary key (organization_id, collection_id, visibility, author_id, department_set, shard),
  foreign key (organization_id, collection_id) references collection (organization_id, id) on delete cascade
);

create table asset_link (
  organization_id text not null,
  id text not null,
  asset_id text not null,
  entity_type text not null,
  entity_id text not null,
  note text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint asset_link_entity unique (organization_id, entity_type, entity_id, asset_id),
  foreign key (organization_id, asset_id) references asset (organization_id, id) on delete cascade
);
create index asset_link_asset on asset_link (organization_id, asset_id, created_at, id);
create index asset_link_newest on asset_link (organization_id, entity_type, entity_id, created_at, id);
create index asset_link_entity_id on asset_link (organization_id, entity_id, entity_type);

create table asset_share (
  organization_id text not null,
  id text not null,
  asset_id text not null,
  grantee_kind text not null check (grantee_kind in ('USER', 'GROUP', 'DEPARTMENT')),
  grantee_id text not null,
  -- of a person: the time they joined. A person who leaves and rejoins joined later, and the share no longer counts
  since timestamptz(3) not null default '-infinity',
  person_id text generated always as (case when grantee_kind = 'USER' then grantee_id end) stored,
  unit_id text generated always as (case when grantee_kind <> 'USER' then grantee_id end) stored,
  level text not null check (level in ('READ', 'EDIT', 'ADMIN')),
  -- past: as if it were not there
  expires_at timestamptz(3),
  -- who lost access when it expired has been sent an event
  expiry_announced boolean not null default false,
  shared_by text not null,
  created_at timestamptz(3) not null default now(),
  -- repeats the asset's for the lists and changes with it. The status_type is its status and type, see
  -- assets/asset-counters.sql.ts, and 0 when it is deleted
  author_id text not null,
  visibility text not null,
  department_set text not null,
  status_type integer not null,
  -- where share_bucket_count counts it; status_type 0: nowhere
  counted_status_type integer not null default 0,
  counted_visibility text not null default '',
  counted_key text not null default '',
  primary key (organization_id, id),
  constraint asset_share_grantee unique (organization_id, asset_id, grantee_id),
  foreign key (organization_id, asset_id) references asset (organization_id, id) on delete cascade,
  foreign key (organization_id, person_id) references membership (organization_id, person_id),
  foreign key (organization_id, unit_id) references unit (organization_id, id) on delete cascade
);
-- holds everything that a list needs to count what is shared with somebody
create index asset_share_by_grantee on asset_share (organization_id, grantee_id, counted_status_type, visibility, status_type)
  include (since, expires_at, author_id, department_set, asset_id);
create index asset_share_newest on asset_share (organization_id, asset_id, created_at, id);
create index asset_share_unit on asset_share (organization_id, unit_id) where unit_id is not null;
create index asset_share_expiry on asset_share (expires_at) where expires_at is not null;
create index asset_share_unannounced_expiry on asset_share (expires_at) where expires_at is not null and not expiry_announced;

-- how many closed assets are shared with somebody without an end, by visibility, status and type (key ''), and how
-- many of those by what else may let somebody read them (the author, or the set of departments). Of a unit, only
-- what is shared with nobody else. The other shares are counted one by one
create table share_bucket_count (
  organization_id text not null,
  key text not null,
  grantee_id text not null,
  visibility text not null,
  status_type integer not null,
  since timestamptz(3) not null,
  n integer not null,
  primary key (organization_id, key, grantee_id, visibility, status_type, since) include (n)
);

-- what search looks at. Each lexeme of `terms` carries its organization in front, and marks say where in the
-- catalogue the asset stands (see indexing/terms.ts), so that neither other organizations nor the size of this
-- one slow a search down
create table asset_search (
  organization_id text not null,
  asset_id text not null,
  -- counts up with the catalogue
  segment integer not null,
  partition_key text not null,
  -- name, tags and description, for the ranking
  head tsvector not null,
  terms tsvector not null,
  primary key (organization_id, asset_id),
  foreign key (organization_id, asset_id) references asset (organization_id, id) on delete cascade
);
-- without a pending list: every search would have to read through it
create index asset_search_terms on asset_search using gin (terms) with (fastupdate = off);

-- the words of names, tags and descriptions, and their trigrams, to find what was meant by a word with a slip in it
create table asset_word (
  organization_id text not null,
  word text collate "C" not null,
  primary key (organization_id, word)
);

create table asset_word_part (
  organization_id text not null,
  part text collate "C" not null,
  word text collate "C" not null,
  -- how many parts the word has
  parts smallint not null,
  primary key (organization_id, part, word)
);

create table asset_file (
  organization_id text not null,
  id text not null,
  asset_id text not null,
  version_id text not null,
  path text collate "C" not null,
  content_type text not null,
  size bigint not null,
  sha256 text not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint asset_file_path unique (organization_id, version_id, path),
  foreign key (organization_id, asset_id) references asset (organization_id, id) on delete cascade,
  foreign key (organization_id, version_id) references asset_version (organization_id, id) on delete cascade
);
create index asset_file_asset on asset_file (organization_id, asset_id);
create index asset_file_object on asset_file (sha256);
