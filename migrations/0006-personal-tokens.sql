-- Personal access tokens: what lets a tool read what its person may read.

create table personal_token (
  organization_id text not null,
  id text not null,
  person_id text not null,
  name text not null,
  -- SHA-256 of the token, which nobody has but who made it
  digest text not null,
  -- how the token begins
  prefix text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- to the minute; written beside the request, never in its way
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (organization_id, id),
  constraint personal_token_digest unique (organization_id, digest),
  foreign key (organization_id, person_id) references membership (organization_id, person_id)
);
create index personal_token_person on personal_token (organization_id, person_id, id) where revoked_at is null;
create index personal_token_over on personal_token (least(expires_at, revoked_at));
