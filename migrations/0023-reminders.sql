-- Links in mails about invoices.

-- a link in a mail, which is shown as MAIL; its kind is ACTION, because it neither revokes a link nor is revoked by one
alter table invoice_link add column is_of_mail boolean not null default false;

-- Reminders of unpaid invoices by mail.

create table invoice_reminder_settings (
  organization_id text primary key references organization (id),
  -- a name of the IANA database
  time_zone text not null,
  -- the local hour from which the reminders of a day are sent
  hour integer not null,
  updated_at timestamptz(3) not null default now()
);
create table invoice_reminder_rule (
  organization_id text not null references organization (id),
  -- after the due date; negative: before it
  days integer not null,
  is_on boolean not null,
  -- null: the built-in text
  text text,
  primary key (organization_id, days)
);
-- one row for each invoice and rule, committed together with the mail
create table invoice_reminder (
  organization_id text not null,
  invoice_id text not null,
  days integer not null,
  -- false: there was no address, so no mail was queued
  has_recipient boolean not null,
  created_at timestamptz(3) not null default now(),
  -- a mail server accepted it
  sent_at timestamptz(3),
  primary key (organization_id, invoice_id, days),
  foreign key (organization_id, invoice_id) references invoice (organization_id, id)
);
-- invoices and clients that get no reminders
create table invoice_reminder_pause (
  organization_id text not null references organization (id),
  -- the id of an invoice or of a client
  subject_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, subject_id)
);
