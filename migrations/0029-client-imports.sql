-- Imports of clients from a file. They have the columns of lead_import. They have tables of their own, because a worker of an
-- earlier version takes every row of lead_import for an import of leads.
create table client_import (
  organization_id text not null references organization (id),
  id text not null,
  file_name text not null,
  status text not null check (status in ('RUNNING', 'DONE', 'STOPPED', 'CANCELLED')),
  created_by text not null,
  origin jsonb not null,
  columns jsonb not null,
  total integer not null,
  done integer not null default 0,
  created integer not null default 0,
  rejected integer not null default 0,
  stopped_at integer,
  line_reports jsonb not null default '[]',
  next_run_at timestamptz(3) not null default now(),
  failures smallint not null default 0,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, created_by) references membership (organization_id, person_id),
  check ((status = 'RUNNING') = (ended_at is null))
);
create unique index client_import_running on client_import (organization_id) where status = 'RUNNING';
create index client_import_due on client_import (next_run_at) where status = 'RUNNING';
create index client_import_ended on client_import (ended_at);

create table client_import_part (
  organization_id text not null,
  import_id text not null,
  line integer not null,
  lines text not null,
  primary key (organization_id, import_id, line),
  foreign key (organization_id, import_id) references client_import (organization_id, id) on delete cascade
);
