-- Attachments of versions, and the objects with their bytes.

-- one object per content, shared by versions, copies and installs. Inserted in a transaction of its own, never inside a
-- business transaction
create table file_object (
  sha256 text primary key,
  size bigint not null,
  -- when the sweep checks again whether anything refers to it
  check_at timestamptz(3) not null,
  -- when a check first found no reference to it
  unreferenced_at timestamptz(3)
);
create index file_object_check on file_object (check_at);

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

-- every reference to an object. The sweep keeps referenced objects
create view file_reference as select sha256 from asset_file;
