-- For the screens of billing: lists of payments, charges and refunds over all invoices, the summary, lists of
-- invoices in other orders, and the budget that an invoice was made from.

-- the signed budget that the invoice bills; null: none. A rectifying invoice does not repeat it
alter table invoice add column budget_id text;
alter table invoice add constraint invoice_budget foreign key (organization_id, budget_id)
  references budget (organization_id, id) not valid;
-- a budget is billed once: a voided invoice leaves room for another
create unique index invoice_of_budget_once on invoice (organization_id, budget_id)
  where budget_id is not null and lifecycle <> 'VOIDED';
create index invoice_of_budget on invoice (organization_id, budget_id, created_at, id) where budget_id is not null;
create index budget_signed on budget (organization_id, signed_at, id) where status = 'SIGNED';

-- drafts have neither date nor number: they count as the latest dates and as the smallest number
create index invoice_issued_on on invoice (organization_id, coalesce(issue_date, date 'infinity'), id) include (issue_date);
create index invoice_due_on on invoice (organization_id, coalesce(due_date, date 'infinity'), id) include (due_date);
create index invoice_by_number on invoice (organization_id, coalesce(number, ''), id) include (number);
create index invoice_by_total on invoice (organization_id, total_cents, id);
-- for the summary, with everything that it adds up
create index invoice_unpaid on invoice (organization_id, client_id, due_date)
  include (currency, total_cents, rectified_cents, paid_cents, refund_rectified_cents, refunded_cents)
  where status in ('ISSUED', 'SENT', 'PARTIALLY_PAID');

create index payment_recent on payment (organization_id, paid_at, id)
  include (currency, amount_cents, reversed_at, invoice_id);
-- the status of PAY-11
create index payment_status on payment (organization_id, (case
  when reversed_at is not null then 'REVERSED' when is_disputed then 'DISPUTED'
  when refunded_cents >= amount_cents then 'REFUNDED' when refunded_cents > 0 then 'PARTIALLY_REFUNDED'
  else 'RECEIVED' end), paid_at, id) include (reversed_at, is_disputed, refunded_cents, amount_cents);
create index payment_by_method on payment (organization_id, method, paid_at, id);
create index payment_by_currency on payment (organization_id, currency, paid_at, id);
create index payment_by_amount on payment (organization_id, amount_cents, paid_at, id);
create index payment_referenced on payment (organization_id, upper(reference) text_pattern_ops)
  where reference is not null;
create index payment_intent_sought on payment (organization_id, payment_intent_id text_pattern_ops)
  where payment_intent_id is not null;

create index charge_attempt_recent on charge_attempt (organization_id, created_at, id);
-- the status that callers see
create index charge_attempt_status on charge_attempt (organization_id, (case
  when state in ('SUCCEEDED', 'REQUIRES_ACTION', 'FAILED') then state
  when state = 'CANCELING' and failure_code is not null then 'FAILED' else 'PROCESSING' end), created_at, id)
  include (state, failure_code);
create index charge_attempt_by_currency on charge_attempt (organization_id, currency, created_at, id);
create index charge_attempt_by_amount on charge_attempt (organization_id, amount_cents, created_at, id);
create index charge_attempt_intent_sought on charge_attempt (organization_id, payment_intent_id text_pattern_ops)
  where payment_intent_id is not null;

create index refund_recent on refund (organization_id, created_at, id);
create index refund_status on refund (organization_id, status, created_at, id);
create index refund_by_currency on refund (organization_id, currency, created_at, id);
create index refund_by_amount on refund (organization_id, amount_cents, created_at, id);
create index refund_part_sought on refund_part (organization_id, gateway_refund_id text_pattern_ops)
  where gateway_refund_id is not null;
