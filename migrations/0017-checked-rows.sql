-- Checks the existing rows for what 0013-billing-screens.sql and 0015-chat-screens.sql demand of new ones.

alter table invoice validate constraint invoice_budget;
alter table chat_member validate constraint chat_member_notification;
