-- Chat for the dashboard: mute, drafts, files of messages, and the threads of a person.

alter table chat_member add column notification text not null default 'ALL';
alter table chat_member add constraint chat_member_notification
  check (notification in ('ALL', 'MENTIONS', 'NONE')) not valid;

-- the unsent text of a person in a channel or thread, for all devices of the person
create table chat_draft (
  organization_id text not null,
  person_id text not null,
  channel_id text not null,
  -- the message that started the thread; empty for the channel itself
  thread_id text not null,
  content text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, person_id, channel_id, thread_id),
  -- who leaves the channel loses the draft
  foreign key (organization_id, channel_id, person_id)
    references chat_member (organization_id, channel_id, person_id) on delete cascade
);

-- the people of a thread: who wrote in it, started it or was mentioned in it
create table chat_thread_person (
  organization_id text not null,
  person_id text not null,
  -- the message that started the thread
  thread_id text not null,
  -- when the person last wrote or was mentioned there; lists consider the newest
  active_at timestamptz(3) not null default now(),
  foreign key (organization_id, thread_id) references chat_message (organization_id, id) on delete cascade
);
create index chat_thread_person_recent on chat_thread_person (organization_id, person_id, active_at desc, thread_id);
create index chat_thread_person_thread on chat_thread_person (organization_id, thread_id);
alter table chat_thread_person add primary key (organization_id, person_id, thread_id);

insert into chat_thread_person (organization_id, person_id, thread_id, active_at)
select organization_id, person_id, thread_id, max(at) from (
  select m.organization_id, m.author_id as person_id, m.root_id as thread_id, m.created_at as at
  from chat_message m where m.root_id is not null and m.author_kind <> 'APP'
  union all
  select t.organization_id, t.author_id, t.id, t.created_at from chat_message t
  where t.author_kind <> 'APP' and exists (
    select from chat_message m where m.organization_id = t.organization_id and m.root_id = t.id)
  union all
  select n.organization_id, n.mentioned_id, coalesce(m.root_id, m.id), n.at from chat_mention n
  join chat_message m on m.organization_id = n.organization_id and m.id = n.message_id
  where n.kind = 'USER' and (m.root_id is not null or exists (
    select from chat_message r where r.organization_id = m.organization_id and r.root_id = m.id))) p
group by 1, 2, 3;

-- files of messages. A new file waits for the message that takes it
create table chat_file (
  organization_id text not null,
  id text not null,
  channel_id text not null,
  message_id text,
  uploaded_by text not null,
  filename text not null,
  -- detected from the bytes
  content_type text not null,
  size bigint not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null default now(),
  foreign key (organization_id, channel_id) references chat_channel (organization_id, id) on delete cascade,
  foreign key (organization_id, message_id) references chat_message (organization_id, id) on delete cascade,
  foreign key (organization_id, uploaded_by) references membership (organization_id, person_id)
);
create index chat_file_message on chat_file (organization_id, message_id, id) where message_id is not null;
create index chat_file_waiting on chat_file (organization_id, uploaded_by) where message_id is null;
create index chat_file_orphan on chat_file (created_at) where message_id is null;
create index chat_file_object on chat_file (sha256);
alter table chat_file add primary key (organization_id, id);

-- a page of messages looks for files only where there are some
alter table chat_message add column file_count smallint not null default 0;

-- the bytes of all files of an organization in chat
create table chat_file_usage (
  organization_id text primary key references organization (id),
  bytes bigint not null
);

-- keeps the garbage collection from deleting these files
create or replace view file_reference as
  select sha256 from asset_file union all select sha256 from market_release_file
  union all select sha256 from budget_document union all select sha256 from chat_file;
