-- Provisioning (SCIM): tokens of identity providers, what they say about members, and ids of theirs for units.

create table provisioning_token (
  organization_id text not null,
  id text not null,
  -- the person in whose name the token acts, with the rights that this person has at that moment
  person_id text not null,
  name text not null,
  -- SHA-256 of the token
  digest text not null,
  -- how the token begins
  prefix text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- to the minute
  last_used_at timestamptz(3),
  primary key (organization_id, id),
  constraint provisioning_token_digest unique (organization_id, digest),
  foreign key (organization_id, person_id) references membership (organization_id, person_id)
);

-- a member that an identity provider has changed or created. While the person is no member, because the provider
-- deactivated them or they have not accepted yet, the row keeps what they get (again) as a member
create table provisioned_user (
  organization_id text not null,
  person_id text not null,
  external_id text,
  given_name text,
  family_name text,
  -- what the provider says: a person who is no member and active waits for their acceptance
  is_active boolean not null default true,
  -- false until the person has been a member: they must accept
  has_joined boolean not null,
  retained_role text not null default 'MEMBER',
  -- the custom role may be deleted meanwhile
  retained_role_id text,
  retained_unit_ids text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, person_id),
  foreign key (organization_id, person_id) references membership (organization_id, person_id)
);
create unique index provisioned_user_external on provisioned_user (organization_id, external_id) where external_id is not null;
create index provisioned_user_units on provisioned_user using gin (organization_id, retained_unit_ids);

alter table unit add column external_id text;
