-- A greeting of the customer portal, the use and origin of its sessions, and mandates without the data of an erased debtor.

-- plain text, one for each language of the portal; null: none
alter table crm_settings add column portal_greeting_es text;
alter table crm_settings add column portal_greeting_en text;
-- the address that requested the link; null for links of an earlier version
alter table portal_link add column ip text;
-- the address that opened the session, and its last use; null for sessions of an earlier version
alter table portal_session add column ip text;
alter table portal_session add column last_used_at timestamptz(3);
-- the debtor and the account were removed at the request of the person
alter table direct_debit_mandate add column erased_at timestamptz(3);
