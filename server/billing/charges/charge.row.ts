/** The states are explained in docs/decisions/0021-charge.md. */
export type AttemptState =
  | 'CREATED'
  | 'CONFIRMING'
  | 'REQUIRES_ACTION'
  | 'PROCESSING'
  | 'CANCELING'
  | 'SUCCEEDED'
  | 'FAILED'

/** One attempt to collect the debt of an invoice. Amounts are in the smallest unit of the currency. */
export type AttemptRow = {
  id: string
  invoice_id: string
  /** The application that requested it; null: a member of the organization, or the payer. */
  application_id: string | null
  /**
   * OFF_SESSION: the payer is absent. ON_SESSION: the payer is present and enters the card. DIRECT_DEBIT: the bank collects
   * it; it is PROCESSING until the bank reports the result.
   */
  kind: 'OFF_SESSION' | 'ON_SESSION' | 'DIRECT_DEBIT'
  state: AttemptState
  amount_cents: number
  currency: string
  /** Null for a direct debit. */
  gateway_account_id: string | null
  customer_id: string | null
  payment_method_id: string | null
  gateway_method_id: string | null
  authorization_id: string | null
  payment_intent_id: string | null
  link_id: string | null
  failure_code: string | null
  failure_message: string | null
  decline_code: string | null
  invoice_fully_paid: boolean | null
  idempotency_key: string | null
  fingerprint: string | null
  poll_count: number
  created_at: string
  updated_at: string
  ended_at: string | null
  /** Age of the attempt, by the clock of the database. */
  age_seconds: number
}

/** The columns of an attempt in a list. */
export const listedAttemptColumns = [
  'id',
  'kind',
  'state',
  'amount_cents',
  'currency',
  'payment_intent_id',
  'authorization_id',
  'failure_code',
  'failure_message',
  'decline_code',
  'created_at',
  'ended_at',
] as const
export type ListedAttemptRow = Pick<AttemptRow, (typeof listedAttemptColumns)[number]>

const columns = [
  'id',
  'invoice_id',
  'application_id',
  'kind',
  'state',
  'amount_cents',
  'currency',
  'gateway_account_id',
  'customer_id',
  'payment_method_id',
  'gateway_method_id',
  'authorization_id',
  'payment_intent_id',
  'link_id',
  'failure_code',
  'failure_message',
  'decline_code',
  'invoice_fully_paid',
  'idempotency_key',
  'fingerprint',
  'poll_count',
  'created_at',
  'updated_at',
  'ended_at',
]
/** The select list of a whole row, for the alias `a`. */
export const attemptColumns = [
  ...columns.map(name => `a.${name}`),
  'extract(epoch from now() - a.created_at)::float8 as age_seconds',
].join(', ')
