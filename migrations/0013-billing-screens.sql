-- For the screens of billing: the budget that an invoice was made from. The indexes are in 0016-screen-indexes.sql.

-- the signed budget that the invoice bills; null: none. A rectifying invoice does not repeat it
alter table invoice add column budget_id text;
alter table invoice add constraint invoice_budget foreign key (organization_id, budget_id)
  references budget (organization_id, id) not valid;
