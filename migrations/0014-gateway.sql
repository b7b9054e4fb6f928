-- Payments through a gateway: authorizations, charge attempts and refunds. See docs/spec/billing.md.

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
