-- Views over tables of several areas.

-- includes deleted applications
create view actor_name as
  select organization_id, person_id as id, name from membership
  union all select organization_id, id, name from application;

-- keeps the garbage collection from deleting these files
create view file_reference as
  select sha256 from asset_file union all select sha256 from market_release_file
  union all select sha256 from budget_document;
