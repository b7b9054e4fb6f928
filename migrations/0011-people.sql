-- Addresses of organizations, preferences of people, what people have marked as done in their inbox, and what operators see of
-- the mail queue and the jobs.

-- the current address of each organization, which begins its URLs in the dashboard, and its former ones, which keep leading to
-- it. A row is never deleted: no other organization can take a former address
create table organization_address (
  address text primary key,
  leads_to text not null references organization (id),
  created_at timestamptz(3) not null default now(),
  -- null: the current address
  retired_at timestamptz(3)
);
create unique index organization_address_current on organization_address (leads_to) where retired_at is null;
create index organization_address_of on organization_address (leads_to, created_at);

-- The addresses of existing organizations come from their names, as address.rules.ts derives them for new ones. The second
-- organization of a name also gets the end of its id.
insert into organization_address (address, leads_to)
select case when n = 1 then base else rtrim(left(base, 27), '-') || '-' || right(regexp_replace(lower(id), '[^a-z0-9]', '', 'g'), 12) end, id
from (
  select id, base, row_number() over (partition by base order by created_at, id) as n
  from (
    select id, created_at, case
      when length(slug) >= 3 and slug !~ '^c[a-z0-9]{24}$' and slug not in (
        'admin', 'api', 'app', 'assets', 'auth', 'book', 'docs', 'health', 'help', 'login', 'mcp', 'metrics', 'new',
        'operator', 'org', 'portal', 'public', 'settings', 'sign-in', 'sign-out', 'static', 'support', 'verify', 'www')
        then slug
      else trim(both '-' from 'org-' || slug) end as base
    from (
      select id, created_at, trim(both '-' from left(trim(both '-' from regexp_replace(
        translate(lower(name), 'áàâäãåéèêëíìîïóòôöõúùûüñçý', 'aaaaaaeeeeiiiiooooouuuuncy'), '[^a-z0-9]+', '-', 'g')), 36)) as slug
      from organization) sliced) based) numbered
on conflict do nothing;

create table person_preference (
  person_id text primary key references person (id) on delete cascade,
  -- null: the language of the browser
  language text check (language in ('es', 'en')),
  theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  density text not null default 'usual' check (density in ('compact', 'usual', 'roomy')),
  single_key_shortcuts boolean not null default true,
  -- where the dashboard opens
  last_organization_id text references organization (id),
  updated_at timestamptz(3) not null default now()
);

-- what a person has marked as done in the inbox: one item, or (with an empty key) everything until a time
create table inbox_done (
  organization_id text not null,
  person_id text not null,
  -- kind and id of the item, such as `mention:<message id>`; empty for everything until done_until
  item text not null,
  done_until timestamptz(3),
  done_at timestamptz(3) not null default now(),
  primary key (organization_id, person_id, item),
  foreign key (organization_id, person_id) references membership (organization_id, person_id)
);
create index inbox_done_at on inbox_done (done_at);

-- for operators, without anything that identifies a person: see recipientHint in mail-queue.rules.ts
alter table outgoing_mail add column recipient text;
alter table outgoing_mail add column error text;

-- mails that were given up, for some days
create table refused_mail (
  organization_id text not null,
  id text not null,
  kind text not null,
  recipient text,
  error text not null,
  attempts smallint not null,
  queued_at timestamptz(3) not null,
  refused_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index refused_mail_at on refused_mail (refused_at, id);

-- the last run of each job of the workers, noted once a minute at most
create table job_run (
  name text primary key,
  ran_at timestamptz(3) not null,
  -- the last failure, and its reason
  failed_at timestamptz(3),
  error text
);
