-- Invoices, payments, the ledger, payment gateways, authorizations, charge attempts and refunds. See docs/spec/billing.md.
-- Amounts are in the smallest unit of their currency (MNY-1).

create table billing_settings (
  organization_id text primary key references organization (id),
  -- the letters of a number such as F2026-000001
  invoice_series text not null,
  -- rectifying invoices have a series of their own
  rectifying_series text not null,
  payment_days integer not null,
  link_days integer not null,
  issues_rectifying_at_once boolean not null,
  -- the address in the QR code of a Spanish invoice; null: no code
  tax_qr_url text,
  updated_at timestamptz(3) not null default now()
);

-- the last number of each series and year; its lock is held while an invoice is issued, so that there are no gaps
create table invoice_counter (
  organization_id text not null references organization (id),
  -- F2026, with the prefix F
  series text not null,
  prefix text not null,
  is_rectifying boolean not null,
  last integer not null,
  -- a number never has an earlier date than the one before it
  last_date date not null,
  primary key (organization_id, series)
);

-- a user of an application, and the client that is billed for them
create table external_user (
  organization_id text not null,
  application_id text not null,
  -- the application's id of the user
  external_id text not null,
  client_id text not null,
  name text,
  email text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, application_id, external_id),
  foreign key (organization_id, application_id) references application (organization_id, id),
  foreign key (organization_id, client_id) references crm_client (organization_id, id)
);
create index external_user_of_client on external_user (organization_id, client_id, application_id, external_id);

create table invoice (
  organization_id text not null references organization (id),
  id text not null,
  -- the application and user that it belongs to; both null: created by members for a client
  application_id text,
  external_user_id text,
  client_id text not null,
  lifecycle text not null check (lifecycle in ('DRAFT', 'ISSUED', 'VOIDED')),
  is_rectifying boolean not null default false,
  rectifies_invoice_id text,
  rectifying_reason text,
  -- F2026 and F2026-000001; set when it is issued
  series text,
  number text,
  issue_date date,
  due_date date,
  currency text not null,
  -- lines, and taxes by rate, in the format of the API, with all computed amounts
  lines jsonb not null,
  taxes jsonb not null,
  subtotal_cents bigint not null,
  tax_cents bigint not null,
  total_cents bigint not null,
  paid_cents bigint not null default 0 check (paid_cents >= 0),
  refunded_cents bigint not null default 0 check (refunded_cents >= 0),
  -- the sum that rectifying invoices took off the total; it is not due
  rectified_cents bigint not null default 0,
  -- the part of rectified_cents that rectifies refunded payments: it reduces no unpaid amount
  refund_rectified_cents bigint not null default 0,
  -- payments beyond the total, or all payments of a void invoice: always booked, to be refunded
  overpaid_cents bigint not null default 0 check (overpaid_cents >= 0),
  is_subscription boolean not null default false,
  -- both parties at the time of issue
  issuer jsonb,
  recipient jsonb,
  -- the address in its tax QR code; null: no code
  tax_qr_url text,
  notes text,
  -- not visible to the client
  internal_notes text,
  sent_at timestamptz(3),
  last_payment_at timestamptz(3),
  -- the sequence of its last event, so that receivers can order them
  notice_sequence bigint not null default 0,
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  issued_at timestamptz(3),
  voided_at timestamptz(3),
  -- when INVOICE_OVERDUE was emitted: once
  overdue_notified_at timestamptz(3),
  -- the first that applies; server/billing/invoices/invoice.rules.ts computes the same
  status text not null generated always as (case
    when lifecycle <> 'ISSUED' then lifecycle
    when paid_cents = 0 and rectified_cents > 0 and rectified_cents >= total_cents then 'RECTIFIED'
    when paid_cents - least(refund_rectified_cents, refunded_cents) >= total_cents - rectified_cents then 'PAID'
    when paid_cents > 0 then 'PARTIALLY_PAID'
    when sent_at is not null then 'SENT'
    else 'ISSUED' end) stored,
  primary key (organization_id, id),
  constraint invoice_number unique (organization_id, number),
  check ((lifecycle = 'DRAFT') = (number is null)),
  check ((application_id is null) = (external_user_id is null)),
  foreign key (organization_id, client_id) references crm_client (organization_id, id),
  foreign key (organization_id, rectifies_invoice_id) references invoice (organization_id, id),
  foreign key (organization_id, application_id, external_user_id)
    references external_user (organization_id, application_id, external_id)
);
create index invoice_overpaid on invoice (organization_id, id) where overpaid_cents > refunded_cents;
create index invoice_recent on invoice (organization_id, created_at, id);
create index invoice_status on invoice (organization_id, status, created_at, id);
create index invoice_numbered on invoice (organization_id, number text_pattern_ops) where number is not null;
create index invoice_due on invoice (organization_id, due_date, id)
  where status in ('ISSUED', 'SENT', 'PARTIALLY_PAID');
create index invoice_due_to_application on invoice (organization_id, application_id, due_date, id)
  where application_id is not null and status in ('ISSUED', 'SENT', 'PARTIALLY_PAID');
-- overdue invoices whose event has not been emitted
create index invoice_overdue on invoice (due_date, organization_id, id)
  where application_id is not null and overdue_notified_at is null and status in ('ISSUED', 'SENT', 'PARTIALLY_PAID');
create index invoice_of_client on invoice (organization_id, client_id, created_at, id);
create index invoice_of_user on invoice (organization_id, application_id, external_user_id, created_at, id)
  where application_id is not null;
create index invoice_of_application on invoice (organization_id, application_id, created_at, id)
  where application_id is not null;
create index invoice_of_application_status on invoice (organization_id, application_id, status, created_at, id)
  where application_id is not null;
create index invoice_rectified on invoice (organization_id, rectifies_invoice_id) where rectifies_invoice_id is not null;

create table payment (
  organization_id text not null,
  id text not null,
  invoice_id text not null,
  -- TRANSFER, CASH, CHECK, CARD, OTHER: registered manually; GATEWAY_CARD: collected by the gateway
  method text not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  paid_at timestamptz(3) not null,
  reference text,
  -- set when the gateway collected the money
  gateway_account_id text,
  payment_intent_id text,
  charge_attempt_id text,
  -- reserved for refunds, and refunded
  refund_reserved_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  -- the card holder disputes it: it cannot be refunded meanwhile
  is_disputed boolean not null default false,
  -- a manual payment that was registered by mistake: it does not count, and stays visible
  reversed_at timestamptz(3),
  reversed_by text,
  reversal_reason text,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  check (refund_reserved_cents between 0 and amount_cents),
  check (refunded_cents between 0 and refund_reserved_cents),
  check ((method like 'GATEWAY%') = (payment_intent_id is not null)),
  check (reversed_at is null or payment_intent_id is null),
  foreign key (organization_id, invoice_id) references invoice (organization_id, id)
);
-- collected money is booked once
create unique index payment_intent on payment (organization_id, gateway_account_id, payment_intent_id)
  where payment_intent_id is not null;
create index payment_disputed on payment (organization_id, id) where is_disputed;
create index payment_of on payment (organization_id, invoice_id, created_at, id);

-- every movement of money, never changed: PAYMENT, PAYMENT_REVERSAL (of a manual payment), REFUND, REVERSAL (of a
-- refund that failed later), DISPUTE. Incoming money is positive.
create table ledger_entry (
  organization_id text not null,
  id text not null,
  invoice_id text not null,
  kind text not null check (kind in ('PAYMENT', 'PAYMENT_REVERSAL', 'REFUND', 'REVERSAL', 'DISPUTE')),
  amount_cents bigint not null check (amount_cents <> 0),
  currency text not null,
  payment_id text not null,
  refund_part_id text,
  gateway_account_id text,
  -- the gateway's id of a payment intent, a refund or a dispute
  gateway_object_id text,
  at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, invoice_id) references invoice (organization_id, id),
  foreign key (organization_id, payment_id) references payment (organization_id, id)
);
create index ledger_of on ledger_entry (organization_id, invoice_id, at, id);
create index ledger_of_gateway on ledger_entry (organization_id, gateway_account_id, at, id)
  where gateway_account_id is not null;
-- a payment is reversed once
create unique index ledger_reversed on ledger_entry (organization_id, payment_id) where kind = 'PAYMENT_REVERSAL';
create trigger ledger_entry_is_immutable before update or delete on ledger_entry
  for each row execute function refuse_change();

create table invoice_link (
  organization_id text not null,
  id text not null,
  invoice_id text not null,
  -- PRIMARY: the public link; ACTION: for one payment that the bank asks about
  kind text not null check (kind in ('PRIMARY', 'ACTION')),
  token_digest bytea not null,
  charge_attempt_id text,
  created_by text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (organization_id, id),
  constraint invoice_link_token unique (organization_id, token_digest),
  foreign key (organization_id, invoice_id) references invoice (organization_id, id)
);
create unique index invoice_link_current on invoice_link (organization_id, invoice_id)
  where kind = 'PRIMARY' and revoked_at is null;
create index invoice_link_of on invoice_link (organization_id, invoice_id, created_at, id);

create table invoice_template (
  organization_id text not null references organization (id),
  id text not null,
  name text not null,
  subject text not null,
  body text not null,
  is_default boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index invoice_template_default on invoice_template (organization_id) where is_default;
create index invoice_template_named on invoice_template (organization_id, name, id);

-- an e-mail with an invoice, sent or attempted
create table invoice_delivery (
  organization_id text not null,
  id text not null,
  invoice_id text not null,
  application_id text,
  -- the idempotency key is freed when nothing was sent or a day is over; the fingerprint identifies the request
  idempotency_key text,
  fingerprint text not null,
  -- the clock hour of the application's quota
  slot_at timestamptz(3),
  -- UNKNOWN: the connection was lost after the message was handed over, so it may have been sent
  state text not null check (state in ('SENDING', 'SENT', 'REFUSED', 'UNKNOWN')),
  recipients text[] not null,
  copies text[] not null,
  -- addresses that the mail server rejected
  refused text[] not null default '{}',
  -- reused for a repeated mail, so that mailboxes show it once
  message_id text not null,
  server_reply text,
  created_by text,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, invoice_id) references invoice (organization_id, id)
);
create index invoice_delivery_of on invoice_delivery (organization_id, invoice_id, created_at, id);
create index invoice_delivery_same on invoice_delivery (organization_id, invoice_id, fingerprint, created_at, id);
create index invoice_delivery_sending on invoice_delivery (created_at) where state = 'SENDING';
create unique index invoice_delivery_key
  on invoice_delivery (organization_id, coalesce(application_id, created_by), idempotency_key)
  where idempotency_key is not null;

create table gateway_account (
  organization_id text not null references organization (id),
  id text not null,
  adapter text not null check (adapter in ('stripe', 'sandbox')),
  -- the gateway's id of the account: other keys may open the same account
  gateway_id text not null,
  -- PENDING: its owner has not completed its setup at the gateway
  status text not null check (status in ('PENDING', 'READY', 'DISABLED')),
  currencies text[] not null default '{}',
  -- encrypted: see server/platform/security/cipher.ts
  secret_key text,
  webhook_secret text,
  publishable_key text,
  is_test boolean not null,
  -- when its state was last read from the gateway
  polled_at timestamptz(3) not null default now(),
  -- when its movements were last compared with the ledger
  reconciled_on date,
  -- movements in that comparison that do not belong to this organization
  foreign_movements integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index gateway_account_current on gateway_account (organization_id) where status <> 'DISABLED';
create index gateway_account_reconcile on gateway_account (reconciled_on nulls first) where status = 'READY';
create index gateway_account_poll on gateway_account (polled_at) where status <> 'DISABLED';

-- the texts that users agree to when they authorize charges; a version never changes
create table consent_text (
  organization_id text not null references organization (id),
  locale text not null,
  version integer not null,
  text text not null,
  sha256 text not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, locale, version)
);
create trigger consent_text_is_immutable before update or delete on consent_text
  for each row execute function refuse_change();

create table gateway_customer (
  organization_id text not null,
  gateway_account_id text not null,
  application_id text not null,
  external_user_id text not null,
  -- the gateway's id of the user
  customer_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, gateway_account_id, application_id, external_user_id),
  foreign key (organization_id, gateway_account_id) references gateway_account (organization_id, id),
  foreign key (organization_id, application_id, external_user_id)
    references external_user (organization_id, application_id, external_id)
);

create table payment_method (
  organization_id text not null,
  id text not null,
  application_id text not null,
  external_user_id text not null,
  gateway_account_id text not null,
  -- the gateway's id of the card
  gateway_method_id text not null,
  brand text not null,
  last4 text not null,
  expires_month smallint not null,
  expires_year smallint not null,
  -- INACTIVE: it can never be charged again
  status text not null check (status in ('ACTIVE', 'INACTIVE')),
  -- set until the gateway has detached the card
  next_poll_at timestamptz(3),
  poll_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  check (next_poll_at is null or status = 'INACTIVE'),
  constraint payment_method_at_gateway unique (organization_id, gateway_account_id, gateway_method_id),
  foreign key (organization_id, gateway_account_id) references gateway_account (organization_id, id),
  foreign key (organization_id, application_id, external_user_id)
    references external_user (organization_id, application_id, external_id)
);
create index payment_method_of on payment_method (organization_id, application_id, external_user_id, created_at, id);
create index payment_method_active on payment_method (organization_id, application_id, external_user_id)
  where status = 'ACTIVE';
create index payment_method_poll on payment_method (next_poll_at) where next_poll_at is not null;

-- the permission of a user to be charged while they are absent
create table payment_authorization (
  organization_id text not null,
  id text not null,
  application_id text not null,
  external_user_id text not null,
  gateway_account_id text not null,
  -- PENDING: waits for the card
  status text not null check (status in ('PENDING', 'ACTIVE', 'REVOKED')),
  scope text not null check (scope in ('RECURRING', 'SINGLE')),
  -- SINGLE: the one invoice that may be charged
  invoice_id text,
  currency text not null,
  -- the most that one charge may collect; null: any amount
  limit_cents bigint check (limit_cents > 0),
  payment_method_id text,
  -- the gateway's setup that collects the card
  setup_id text,
  consent_locale text not null,
  consent_version integer not null,
  consent_sha256 text not null,
  accepted_at timestamptz(3) not null,
  ip inet not null,
  user_agent text not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  check (status <> 'ACTIVE' or payment_method_id is not null),
  check ((scope = 'SINGLE') = (invoice_id is not null)),
  foreign key (organization_id, gateway_account_id) references gateway_account (organization_id, id),
  foreign key (organization_id, invoice_id) references invoice (organization_id, id),
  foreign key (organization_id, payment_method_id) references payment_method (organization_id, id),
  foreign key (organization_id, consent_locale, consent_version) references consent_text (organization_id, locale, version),
  foreign key (organization_id, application_id, external_user_id)
    references external_user (organization_id, application_id, external_id)
);
create index payment_authorization_of on payment_authorization
  (organization_id, application_id, external_user_id, created_at, id);
create index payment_authorization_active on payment_authorization
  (organization_id, application_id, external_user_id, created_at, id) where status = 'ACTIVE';
create index payment_authorization_card on payment_authorization (organization_id, payment_method_id)
  where payment_method_id is not null;
create index payment_authorization_single on payment_authorization (organization_id, invoice_id)
  where invoice_id is not null;

-- One attempt to collect the debt of an invoice. The request to the gateway is stored here before it is sent.
create table charge_attempt (
  organization_id text not null,
  id text not null,
  invoice_id text not null,
  -- the application that requested it; null: a member, or the payer on the public page
  application_id text,
  -- OFF_SESSION: POST /charge; ON_SESSION: the payer is present, at POST /pay or on the public page
  kind text not null check (kind in ('OFF_SESSION', 'ON_SESSION')),
  state text not null check (state in
    ('CREATED', 'CONFIRMING', 'REQUIRES_ACTION', 'PROCESSING', 'CANCELING', 'SUCCEEDED', 'FAILED')),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  gateway_account_id text not null,
  customer_id text,
  payment_method_id text,
  gateway_method_id text,
  authorization_id text,
  payment_intent_id text,
  -- the link with which the payer answers the bank
  link_id text,
  failure_code text,
  failure_message text,
  decline_code text,
  invoice_fully_paid boolean,
  -- the key of the caller and the fingerprint of the request; live for a day, and while the attempt is open
  idempotency_key text,
  fingerprint text,
  is_key_live boolean not null default false,
  -- when the worker polls it next, and how often it has
  next_poll_at timestamptz(3),
  poll_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (organization_id, id),
  check ((state in ('SUCCEEDED', 'FAILED')) = (ended_at is not null)),
  foreign key (organization_id, invoice_id) references invoice (organization_id, id),
  foreign key (organization_id, gateway_account_id) references gateway_account (organization_id, id),
  foreign key (organization_id, payment_method_id) references payment_method (organization_id, id),
  foreign key (organization_id, authorization_id) references payment_authorization (organization_id, id)
);
-- one open attempt per invoice: two payments never run simultaneously
create unique index charge_attempt_open on charge_attempt (organization_id, invoice_id)
  where state in ('CREATED', 'CONFIRMING', 'REQUIRES_ACTION', 'PROCESSING', 'CANCELING');
create unique index charge_attempt_intent on charge_attempt (organization_id, gateway_account_id, payment_intent_id)
  where payment_intent_id is not null;
-- of people as well, who are no application
create unique index charge_attempt_key on charge_attempt (organization_id, coalesce(application_id, ''), idempotency_key)
  where is_key_live;
create index charge_attempt_of on charge_attempt (organization_id, invoice_id, created_at, id);
create index charge_attempt_poll on charge_attempt (next_poll_at) where next_poll_at is not null;

create table refund (
  organization_id text not null,
  id text not null,
  invoice_id text not null,
  application_id text,
  -- GATEWAY: created in the gateway's dashboard and imported
  source text not null check (source in ('API', 'PEOPLE', 'GATEWAY')),
  status text not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  is_full boolean not null,
  reason text,
  creates_rectifying_invoice boolean not null default false,
  rectifying_invoice_id text,
  idempotency_key text,
  fingerprint text,
  is_key_live boolean not null default false,
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, invoice_id) references invoice (organization_id, id),
  foreign key (organization_id, rectifying_invoice_id) references invoice (organization_id, id)
);
-- of people as well, who are no application
create unique index refund_key on refund (organization_id, coalesce(application_id, ''), idempotency_key)
  where is_key_live;
create index refund_of on refund (organization_id, invoice_id, created_at, id);
create index refund_rectified on refund (organization_id, rectifying_invoice_id) where rectifying_invoice_id is not null;

-- the part of a refund that comes from one payment
create table refund_part (
  organization_id text not null,
  id text not null,
  refund_id text not null,
  payment_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- SENT: requested, no answer known; PENDING: the gateway takes its time
  state text not null check (state in ('SENT', 'PENDING', 'SUCCEEDED', 'FAILED')),
  gateway_account_id text not null,
  gateway_refund_id text,
  failure_code text,
  requested_at timestamptz(3) not null default now(),
  next_poll_at timestamptz(3),
  poll_count integer not null default 0,
  ended_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, refund_id) references refund (organization_id, id),
  foreign key (organization_id, payment_id) references payment (organization_id, id)
);
create unique index refund_part_at_gateway on refund_part (organization_id, gateway_account_id, gateway_refund_id)
  where gateway_refund_id is not null;
create index refund_part_of on refund_part (organization_id, refund_id, id);
create index refund_part_of_payment on refund_part (organization_id, payment_id, id);
create index refund_part_requested on refund_part (organization_id, requested_at) where state = 'SENT';
create index refund_part_poll on refund_part (next_poll_at) where next_poll_at is not null;

-- differences between the gateway and the ledger
create table gateway_difference (
  organization_id text not null,
  id text not null,
  gateway_account_id text not null,
  day date not null,
  -- MISSING_HERE: not in the ledger; MISSING_THERE: not at the gateway; AMOUNT: both, with different amounts
  kind text not null check (kind in ('MISSING_HERE', 'MISSING_THERE', 'AMOUNT')),
  gateway_object_id text not null,
  local_cents bigint,
  gateway_cents bigint,
  currency text not null,
  detected_at timestamptz(3) not null default now(),
  -- null although settled: both sides agreed later
  settled_by text,
  settled_reason text,
  settled_at timestamptz(3),
  primary key (organization_id, id),
  constraint gateway_difference_once unique (organization_id, gateway_account_id, gateway_object_id, kind),
  foreign key (organization_id, gateway_account_id) references gateway_account (organization_id, id)
);
create index gateway_difference_open on gateway_difference (organization_id, detected_at, id) where settled_at is null;

-- The objects of the built-in sandbox gateway. Only its adapter reads and writes them.
create table sandbox_object (
  organization_id text not null references organization (id),
  id text not null,
  -- customer, method, setup, intent, refund, request (the result of an idempotency key), movement
  kind text not null,
  -- the customer of a method or setup, the intent of a refund
  parent_id text,
  body jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index sandbox_object_of on sandbox_object (organization_id, kind, parent_id, created_at, id);
