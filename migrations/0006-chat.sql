-- Chat: channels of people; external applications read and write there with the grant of a person.
--
-- Primary keys are created after the other indexes of a table: between indexes of equal cost PostgreSQL chooses the newest,
-- and without statistics of a new table all have equal cost.

create table chat_channel (
  organization_id text not null references organization (id),
  id text not null,
  -- CHANNEL and GROUP can be managed; DIRECT is between people, CUSTOMER_PORTAL is about a customer
  kind text not null check (kind in ('CHANNEL', 'GROUP', 'DIRECT', 'CUSTOMER_PORTAL')),
  -- null for DIRECT, which clients show with the names of its people
  name text,
  -- without case and accents; lists are sorted and searched by it
  name_folded text,
  description text,
  -- listed in the directory of the organization, from which everybody may join
  is_discoverable boolean not null default false,
  -- the sorted ids of the people of a DIRECT conversation, of which there is one
  direct_key text,
  -- the customer of CUSTOMER_PORTAL
  customer_reference text,
  created_by text not null,
  created_by_application text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  archived_by text,
  -- the number of the last message; numbers have no gaps and become visible in order
  last_seq bigint not null default 0,
  -- counts the changes that emit events to applications
  event_sequence bigint not null default 0,
  -- of messages for all members, and of messages that applications can see too
  last_message_at timestamptz(3),
  last_visible_at timestamptz(3),
  constraint chat_channel_direct unique (organization_id, direct_key),
  check ((kind = 'DIRECT') = (name is null)),
  check ((kind = 'DIRECT') = (direct_key is not null)),
  foreign key (organization_id, created_by) references membership (organization_id, person_id)
) with (fillfactor = 80);
create index chat_channel_directory on chat_channel (organization_id, name_folded, id)
  where is_discoverable and archived_at is null;
create index chat_channel_by_name on chat_channel (organization_id, (archived_at is not null), name_folded, id)
  where kind in ('CHANNEL', 'GROUP');
create index chat_channel_search on chat_channel using gin (name_folded gin_trgm_ops) where name_folded is not null;
alter table chat_channel add primary key (organization_id, id);

-- people in a channel; applications have a grant instead
create table chat_member (
  organization_id text not null,
  channel_id text not null,
  person_id text not null,
  role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER')),
  joined_at timestamptz(3) not null default now(),
  -- the number of the last message that the person has read
  read_seq bigint not null default 0,
  foreign key (organization_id, channel_id) references chat_channel (organization_id, id) on delete cascade,
  foreign key (organization_id, person_id) references membership (organization_id, person_id)
) with (fillfactor = 80);
create index chat_member_person on chat_member (organization_id, person_id, channel_id);
-- owners and administrators first
create index chat_member_role_order on chat_member (organization_id, channel_id,
  (case role when 'OWNER' then 1 when 'ADMIN' then 2 else 3 end), joined_at, person_id);
alter table chat_member add primary key (organization_id, channel_id, person_id);

-- rights of an application in a channel, on behalf of a person. A revoked grant stays as history
create table chat_grant (
  organization_id text not null,
  id text not null,
  channel_id text not null,
  application_id text not null,
  -- the grantor, on whose behalf the application acts: it can never do more than the grantor
  granted_by text not null,
  -- `Crear y organizar canales`
  can_organize boolean not null,
  -- `Gestionar miembros`
  can_manage_members boolean not null,
  -- in the channel: it may read, write and receive events. Without this it may still use its capabilities
  is_member boolean not null default true,
  -- the last event to the other applications said that it is in the channel
  is_announced boolean not null default true,
  granted_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  revoked_by text,
  primary key (organization_id, id),
  foreign key (organization_id, channel_id) references chat_channel (organization_id, id) on delete cascade,
  foreign key (organization_id, application_id) references application (organization_id, id),
  foreign key (organization_id, granted_by) references membership (organization_id, person_id)
);
create unique index chat_grant_active on chat_grant (organization_id, channel_id, application_id) where revoked_at is null;
create index chat_grant_application on chat_grant (organization_id, application_id, channel_id) where revoked_at is null;
-- the grants of one grantor
create index chat_grant_grantor on chat_grant (organization_id, granted_by) where revoked_at is null;
create index chat_grant_history on chat_grant (organization_id, channel_id, id);

create table chat_message (
  organization_id text not null,
  id text not null,
  channel_id text not null,
  -- the number in the channel
  seq bigint not null,
  -- the message that started the thread, also for a reply to a reply
  root_id text,
  author_kind text not null check (author_kind in ('USER', 'APP', 'AI')),
  -- a person or an application; for AI the person whom it answers
  author_id text not null,
  content text not null,
  -- INTERNAL is for the people in the channel, PRIVATE for its readers (chat_reader)
  visibility text not null check (visibility in ('VISIBLE', 'INTERNAL', 'PRIVATE')),
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  -- a deleted message keeps its number and loses its content
  deleted_at timestamptz(3),
  -- replies of the thread that it started: for all members, and those that applications can see
  reply_count integer not null default 0,
  last_reply_at timestamptz(3),
  visible_reply_count integer not null default 0,
  visible_last_reply_at timestamptz(3),
  -- an AI reply is private to the person whom it answers
  check (author_kind <> 'AI' or visibility = 'PRIVATE'),
  foreign key (organization_id, channel_id) references chat_channel (organization_id, id) on delete cascade
) with (fillfactor = 90);
create unique index chat_message_seq on chat_message (organization_id, channel_id, seq);
-- message pages scan no unreadable messages: one index for applications, one for all members, chat_reader for private ones
create index chat_message_visible on chat_message (organization_id, channel_id, seq)
  where visibility = 'VISIBLE' and deleted_at is null;
create index chat_message_shared on chat_message (organization_id, channel_id, seq) where visibility <> 'PRIVATE';
create index chat_message_thread on chat_message (organization_id, root_id, seq)
  where root_id is not null and visibility <> 'PRIVATE';
alter table chat_message add primary key (organization_id, id),
  add foreign key (organization_id, root_id) references chat_message (organization_id, id);

-- the readers of a PRIVATE message, including its author
create table chat_reader (
  organization_id text not null,
  channel_id text not null,
  person_id text not null,
  seq bigint not null,
  message_id text not null,
  -- the thread of the message
  root_id text,
  primary key (organization_id, channel_id, person_id, seq),
  foreign key (organization_id, message_id) references chat_message (organization_id, id) on delete cascade
);
create index chat_reader_message on chat_reader (organization_id, message_id);
create index chat_reader_thread on chat_reader (organization_id, person_id, root_id, seq) where root_id is not null;

-- the search words of messages, each with a prefix of channel and segment (see message-search.terms.ts), so that a search
-- reads only those. No pending list (fastupdate), because every search would have to scan it
create table chat_search (
  organization_id text not null,
  message_id text not null,
  channel_id text not null,
  terms tsvector not null,
  primary key (organization_id, message_id),
  foreign key (organization_id, message_id) references chat_message (organization_id, id) on delete cascade
);
create index chat_search_terms on chat_search using gin (terms) with (fastupdate = off);

-- mentions, which stay when an edit removes them, so that nobody is notified twice
create table chat_mention (
  organization_id text not null,
  message_id text not null,
  mentioned_id text not null,
  kind text not null check (kind in ('USER', 'APP')),
  channel_id text not null,
  at timestamptz(3) not null default now(),
  primary key (organization_id, message_id, mentioned_id),
  foreign key (organization_id, message_id) references chat_message (organization_id, id) on delete cascade
);
-- ids of messages are in the order of time
create index chat_mention_mentioned on chat_mention (organization_id, mentioned_id, message_id);

-- The one definition of the rights of an application in a channel, for reads, for fan-out and for each delivery attempt:
-- its active grants with the current roles of the grantor. `has_access` is required to read, write and receive events: the
-- grantor must be in the channel too. A deleted application has no rights
create view chat_access as
select g.organization_id, g.channel_id, g.application_id, g.id as grant_id, g.granted_by, g.granted_at,
  g.can_organize, g.can_manage_members, g.is_member, g.is_announced,
  m.role as grantor_role, m.removed_at is not null as grantor_removed, r.permissions as grantor_permissions, cm.role as grantor_channel_role,
  g.is_member and m.removed_at is null
    and (m.role <> 'CUSTOM' or 'CHAT_USE' = any(r.permissions))
    and cm.person_id is not null as has_access
from chat_grant g
join application a on a.organization_id = g.organization_id and a.id = g.application_id and a.deleted_at is null
join membership m on m.organization_id = g.organization_id and m.person_id = g.granted_by
left join role r on r.organization_id = m.organization_id and r.id = m.custom_role_id
left join chat_member cm on cm.organization_id = g.organization_id and cm.channel_id = g.channel_id
  and cm.person_id = g.granted_by
where g.revoked_at is null;

-- agents that applications propose for a channel. Patio runs no model; applications report the executions
create table chat_agent (
  organization_id text not null,
  id text not null,
  channel_id text not null,
  application_id text not null,
  name text not null,
  description text,
  -- what the agent will do, for the person who approves it
  purpose text not null,
  -- the stored state. Expired proposals and pauses by budget are computed when the agent is read
  status text not null check (status in ('PENDING_APPROVAL', 'ACTIVE', 'PAUSED', 'REJECTED', 'WITHDRAWN')),
  -- MANUAL for PAUSED; REJECTED or EXPIRED for REJECTED
  status_reason text,
  status_note text,
  proposed_at timestamptz(3) not null default now(),
  -- a proposal without a decision is rejected at this time
  expires_at timestamptz(3) not null,
  decided_by text,
  decided_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, channel_id) references chat_channel (organization_id, id) on delete cascade,
  foreign key (organization_id, application_id) references application (organization_id, id)
);
create index chat_agent_channel on chat_agent (organization_id, channel_id, id);
create index chat_agent_application on chat_agent (organization_id, application_id, id);
create index chat_agent_live on chat_agent (organization_id, application_id, id)
  where status in ('PENDING_APPROVAL', 'ACTIVE', 'PAUSED');
create index chat_agent_expiring on chat_agent (expires_at) where status = 'PENDING_APPROVAL';

-- scheduled tasks of an agent, which its application runs
create table chat_agent_task (
  organization_id text not null,
  agent_id text not null,
  id text not null,
  name text not null,
  -- cron expression with five fields, in the time zone
  schedule text not null,
  time_zone text not null,
  primary key (organization_id, agent_id, id),
  foreign key (organization_id, agent_id) references chat_agent (organization_id, id) on delete cascade
);

create table chat_agent_execution (
  organization_id text not null,
  id text not null,
  agent_id text not null,
  task_id text,
  application_id text not null,
  status text not null check (status in ('SUCCEEDED', 'FAILED', 'SKIPPED')),
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  -- millionths of the currency of the cap
  cost_micros bigint not null default 0,
  summary text,
  -- the message that it published in the channel
  message_id text,
  recorded_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references chat_agent (organization_id, id) on delete cascade
);
create index chat_agent_execution_agent on chat_agent_execution (organization_id, agent_id, id);

-- spending cap of the agents of an application per calendar month (UTC), and their spending
create table chat_agent_budget (
  organization_id text not null,
  application_id text not null,
  -- null: no cap
  cap_micros bigint,
  primary key (organization_id, application_id),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
);

create table chat_agent_month (
  organization_id text not null,
  application_id text not null,
  -- `2026-11`
  month text not null,
  spent_micros bigint not null default 0,
  executions integer not null default 0,
  -- the highest cap of which the application was notified
  notified_cap_micros bigint,
  primary key (organization_id, application_id, month),
  foreign key (organization_id, application_id) references application (organization_id, id) on delete cascade
);
