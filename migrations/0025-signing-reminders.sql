-- Reminders of budgets that wait for a signature.

-- days after the mail of the link, and after each reminder; null: there are no reminders
alter table crm_settings add column signing_reminder_days integer;
-- how many reminders a link gets
alter table crm_settings add column signing_reminders integer not null default 1;
alter table signing_link add column reminder_count integer not null default 0;
