-- the fingerprint of the data that a budget's PDF shows, so that a page shows the same lines only while they are the same
alter table budget_document add column data_sha256 text;
