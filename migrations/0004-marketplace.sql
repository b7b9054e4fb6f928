-- The marketplace, which all organizations share. Submissions, installs, helpful votes and reports belong to an
-- organization (`organization_id`). Listings, releases and reviews belong to no tenant: their `publisher_id` and
-- `author_organization_id` name the organization behind them, and never leave the server.

-- the submission of an asset. `status` is the status of the listed release, or else of the last submitted one
create table market_entry (
  organization_id text not null references organization (id),
  id text not null,
  asset_id text not null,
  submitted_by text not null,
  category text not null,
  tags text[] not null,
  pricing text not null check (pricing in ('FREE', 'PREMIUM')),
  status text not null check (status in ('PENDING', 'UNDER_REVIEW', 'APPROVED', 'REJECTED', 'ARCHIVED')),
  listed_release_id text,
  last_release_id text not null,
  submitted_at timestamptz(3) not null default now(),
  approved_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  -- the search terms of the submitter's own list
  terms tsvector not null default '',
  primary key (organization_id, id),
  constraint market_entry_asset unique (organization_id, asset_id),
  check ((status = 'APPROVED') = (listed_release_id is not null)),
  foreign key (organization_id, submitted_by) references membership (organization_id, person_id)
);
-- operators only have the id
create index market_entry_id on market_entry (id);
create index market_entry_own on market_entry (organization_id, submitted_by, submitted_at, id);

-- a copy of a published version, which reviewers read, the catalogue shows and installs copy. Content and files never
-- change; other organizations read only approved releases, by listing or by install
create table market_release (
  id text primary key,
  publisher_id text not null references organization (id),
  entry_id text not null,
  asset_id text not null,
  version_id text not null,
  version text not null,
  type text not null,
  slug text not null,
  name text not null,
  description text not null,
  body_markdown text not null,
  frontmatter json not null,
  frontmatter_text text,
  icon_name text,
  color text,
  asset_tags text[] not null,
  changelog text,
  -- SHA-256 of content and files, hexadecimal
  digest text not null,
  findings json not null,
  status text not null check (status in ('PENDING', 'UNDER_REVIEW', 'APPROVED', 'REJECTED', 'ARCHIVED')),
  submitted_by text not null,
  submitted_at timestamptz(3) not null default clock_timestamp(),
  -- the operator who started or decided the review
  reviewed_by text,
  started_at timestamptz(3),
  decided_at timestamptz(3),
  -- never cleared: comparisons and copies need approved releases in any status
  approved_at timestamptz(3),
  -- for the submitter
  reason text,
  -- for operators
  note text
);
create index market_release_entry on market_release (entry_id, submitted_at, id);
-- the review queue, and decided releases
create index market_release_queue on market_release (submitted_at, id) where status in ('PENDING', 'UNDER_REVIEW');
create index market_release_status on market_release (status, submitted_at, id);

create table market_release_file (
  release_id text not null references market_release (id),
  path text collate "C" not null,
  content_type text not null,
  size bigint not null,
  sha256 text not null,
  primary key (release_id, path)
);
-- the file sweep keeps objects of releases
create index market_release_file_object on market_release_file (sha256);

-- the catalogue: one row for each entry that was ever approved. Ratings and counts stay while it is not listed
create table market_listing (
  entry_id text primary key,
  is_listed boolean not null default true,
  publisher_id text not null references organization (id),
  publisher_person_id text not null,
  release_id text not null references market_release (id),
  type text not null,
  name text not null,
  description text not null,
  category text not null,
  tags text[] not null,
  pricing text not null,
  version text not null,
  icon_name text,
  color text,
  featured_until timestamptz(3),
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  -- (10 × overall average + sum) / (10 + count); the overall average is updated hourly, see market_rating_average
  rating_rank double precision not null default 0,
  -- people who ever installed it, and people of the last 60 days
  install_count integer not null default 0,
  recent_installers integer not null default 0,
  -- log2(1 + recent_installers) + time of approval in units of 90 days
  popularity double precision not null default 0,
  submitted_at timestamptz(3) not null,
  approved_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- as in assets: lower case without accents, ordered by code point
  name_folded text collate "C" not null default '',
  -- its words and Spanish stems, and filter marks
  terms tsvector not null default ''
);
create index market_listing_named on market_listing (name_folded, entry_id) where is_listed;
create index market_listing_recent on market_listing (approved_at, entry_id) where is_listed;
create index market_listing_popular on market_listing (popularity, entry_id) where is_listed;
create index market_listing_rated on market_listing (rating_rank, rating_count, entry_id) where is_listed;
create index market_listing_installed on market_listing (install_count, approved_at, entry_id) where is_listed;
create index market_listing_featured on market_listing (featured_until, entry_id) where is_listed and featured_until is not null;
-- a list of one category or one type merges ranges of these
create index market_listing_category_recent on market_listing (category, type, approved_at, entry_id) where is_listed;
create index market_listing_category_popular on market_listing (category, type, popularity, entry_id) where is_listed;
create index market_listing_category_rated on market_listing (category, type, rating_rank, rating_count, entry_id) where is_listed;
create index market_listing_category_installed on market_listing (category, type, install_count, approved_at, entry_id) where is_listed;
create index market_listing_terms on market_listing using gin (terms) with (fastupdate = off) where is_listed;

-- the words of the catalogue, for prefix and spelling searches
create table market_word (word text collate "C" primary key);
create index market_word_like on market_word using gin (word gin_trgm_ops);

-- counts listed entries by the filters of lists; the rows without a category count approvals and other changes
create table market_listing_count (
  category text not null,
  type text not null,
  pricing text not null,
  n integer not null,
  primary key (category, type, pricing)
);

-- the average rating of the catalogue from which the ranks were computed
create table market_rating_average (
  is_only boolean primary key default true check (is_only),
  average double precision not null default 3,
  computed_at timestamptz(3) not null default '-infinity'
);
insert into market_rating_average default values;

-- an installed copy, in the organization of the installer
create table market_install (
  organization_id text not null references organization (id),
  id text not null,
  person_id text not null,
  entry_id text not null references market_listing (entry_id),
  -- the release in the copy: the base of a merge with local changes
  release_id text not null references market_release (id),
  entry_name text not null,
  installed_asset_id text not null,
  installed_version text not null,
  files_copied integer not null,
  files_failed integer not null,
  custom_name text,
  -- the signed provenance statement
  statement text not null,
  signature text not null,
  key_id text not null,
  public_key text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references membership (organization_id, person_id)
);
create index market_install_person on market_install (organization_id, person_id, created_at, id);
create index market_install_own on market_install (organization_id, person_id, entry_id, created_at, id);
create index market_install_entry on market_install (organization_id, entry_id, created_at, id);
create index market_install_asset on market_install (organization_id, installed_asset_id);

-- the provenance statement from a version of a copy on: earlier versions keep theirs
create table market_origin (
  organization_id text not null,
  asset_id text not null,
  ordinal integer not null,
  statement text not null,
  signature text not null,
  key_id text not null,
  public_key text not null,
  primary key (organization_id, asset_id, ordinal),
  foreign key (organization_id, asset_id) references asset (organization_id, id) on delete cascade
);

-- each person who installed an entry, once: repeated installs do not count
create table market_installer (
  organization_id text not null references organization (id),
  entry_id text not null,
  person_id text not null,
  last_at timestamptz(3) not null default clock_timestamp(),
  -- counted in recent_installers
  is_recent boolean not null default true,
  primary key (organization_id, entry_id, person_id)
);
create index market_installer_recent on market_installer (last_at) where is_recent;

-- reviews are public, under a constant name for people of other organizations
create table market_review (
  id text primary key,
  entry_id text not null references market_listing (entry_id),
  author_organization_id text not null references organization (id),
  author_id text not null,
  rating smallint not null check (rating between 1 and 5),
  comment text,
  -- the version that the author had installed
  version text not null,
  helpful_count integer not null default 0,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  -- one per person over all their organizations; the last one they wrote from is stored
  constraint market_review_one unique (entry_id, author_id)
);
create index market_review_entry on market_review (entry_id, helpful_count, created_at, id);
create index market_review_author on market_review (author_id, created_at, id);

-- authors whose review text of an entry is hidden, also after they replace it
create table market_review_hidden (
  entry_id text not null references market_listing (entry_id),
  author_id text not null,
  reason text not null,
  hidden_at timestamptz(3) not null default clock_timestamp(),
  primary key (entry_id, author_id)
);

create table market_helpful (
  organization_id text not null references organization (id),
  review_id text not null references market_review (id) on delete cascade,
  person_id text not null,
  primary key (organization_id, review_id, person_id)
);
create index market_helpful_review on market_helpful (review_id);

create table market_report (
  organization_id text not null references organization (id),
  id text not null,
  entry_id text not null,
  person_id text not null,
  reason text not null,
  status text not null check (status in ('OPEN', 'CONFIRMED', 'DISMISSED')),
  note text,
  created_at timestamptz(3) not null default clock_timestamp(),
  decided_at timestamptz(3),
  decided_by text,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references membership (organization_id, person_id)
);
create unique index market_report_open on market_report (organization_id, entry_id, person_id) where status = 'OPEN';
create index market_report_id on market_report (id);
create index market_report_status on market_report (status, created_at, id);
create index market_report_entry on market_report (entry_id, status, created_at, id);
