-- outside a transaction
-- The indexes on tables in use that the screens need. A write pays for each of them, so an index that a list needs with more
-- columns replaces the one without them: it is built first, and then the other is dropped.

-- customer relations
create index concurrently if not exists crm_opportunity_search on crm_opportunity
  using gin (organization_id, (' ' || title_folded) gin_trgm_ops) with (fastupdate = off);
create index concurrently if not exists budget_search on budget
  using gin (organization_id, budget_search_text(code, title, title_folded) gin_trgm_ops) with (fastupdate = off);
create index concurrently if not exists budget_signed on budget (organization_id, signed_at, id) where status = 'SIGNED';
-- the stages of leads, which a list filters by and leadValues names; leads without a stage take no room
create index concurrently if not exists lead_staged on lead (organization_id, stage, status, created_at, id)
  where erased_at is null and stage is not null;
create index concurrently if not exists lead_by_temperature on lead (organization_id, temperature, status, created_at, id)
  where erased_at is null and temperature is not null;

-- invoices: the newest, with what their lists sort and filter by
create index concurrently if not exists invoice_newest on invoice (organization_id, created_at, id)
  include (issue_date, due_date, total_cents);
drop index concurrently if exists invoice_recent;
-- unpaid invoices, with everything that the summary adds up
create index concurrently if not exists invoice_unpaid on invoice (organization_id, due_date, id)
  include (currency, total_cents, rectified_cents, paid_cents, refund_rectified_cents, refunded_cents)
  where status in ('ISSUED', 'SENT', 'PARTIALLY_PAID');
drop index concurrently if exists invoice_due;
-- invoices of a quarter or year, whenever they were created
create index concurrently if not exists invoice_issued_on on invoice (organization_id, issue_date, id)
  where issue_date is not null;
-- a budget is billed once: a voided invoice leaves room for another
create unique index concurrently if not exists invoice_of_budget on invoice
  (organization_id, budget_id, (case when lifecycle = 'VOIDED' then id else '' end)) where budget_id is not null;

-- the newest payments, charges and refunds, with everything that their lists filter by
create index concurrently if not exists payment_recent on payment (organization_id, paid_at, id)
  include (method, currency, amount_cents, refunded_cents, is_disputed, reversed_at);
create index concurrently if not exists charge_attempt_recent on charge_attempt (organization_id, created_at, id)
  include (currency, amount_cents, state, failure_code);
create index concurrently if not exists refund_recent on refund (organization_id, created_at, id)
  include (currency, amount_cents, status);
-- the line of a bank statement
create index concurrently if not exists payment_referenced on payment (organization_id, upper(reference) text_pattern_ops)
  where reference is not null;
-- the beginning of a gateway's id; each replaces the same rule in another order of columns
create unique index concurrently if not exists payment_at_gateway on payment
  (organization_id, payment_intent_id text_pattern_ops, gateway_account_id) where payment_intent_id is not null;
drop index concurrently if exists payment_intent;
create unique index concurrently if not exists charge_attempt_at_gateway on charge_attempt
  (organization_id, payment_intent_id text_pattern_ops, gateway_account_id) where payment_intent_id is not null;
drop index concurrently if exists charge_attempt_intent;
create unique index concurrently if not exists refund_part_of_gateway on refund_part
  (organization_id, gateway_refund_id text_pattern_ops, gateway_account_id) where gateway_refund_id is not null;
drop index concurrently if exists refund_part_at_gateway;
