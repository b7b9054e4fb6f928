/** SENT: requested, no answer known. PENDING: the gateway takes its time. */
export type RefundPartState = 'SENT' | 'PENDING' | 'SUCCEEDED' | 'FAILED'

/** Amounts are in the smallest unit of the currency. */
export type RefundRow = {
  id: string
  invoice_id: string
  application_id: string | null
  /** GATEWAY: created in the gateway's dashboard and imported. */
  source: 'API' | 'PEOPLE' | 'GATEWAY'
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  amount_cents: number
  currency: string
  /** Everything that the gateway collected is refunded once it succeeds. */
  is_full: boolean
  reason: string | null
  creates_rectifying_invoice: boolean
  rectifying_invoice_id: string | null
  idempotency_key: string | null
  fingerprint: string | null
  created_by: string | null
  created_at: string
}

/** The columns of a refund in a reply. */
export const shownRefundColumns = [
  'id',
  'invoice_id',
  'amount_cents',
  'currency',
  'status',
  'is_full',
  'reason',
  'rectifying_invoice_id',
  'created_at',
] as const
export type ShownRefundRow = Pick<RefundRow, (typeof shownRefundColumns)[number]>

/** The part of a refund that comes from one payment. The request to the gateway never changes. */
export type RefundPartRow = {
  id: string
  refund_id: string
  invoice_id: string
  payment_id: string
  amount_cents: number
  state: RefundPartState
  gateway_account_id: string
  intent_id: string
  reason: string | null
  creates_rectifying_invoice: boolean
  gateway_refund_id: string | null
  failure_code: string | null
  poll_count: number
  /** Time since the request, by the clock of the database. */
  age_seconds: number
}

const columns = [
  'id',
  'invoice_id',
  'application_id',
  'source',
  'status',
  'amount_cents',
  'currency',
  'is_full',
  'reason',
  'creates_rectifying_invoice',
  'rectifying_invoice_id',
  'idempotency_key',
  'fingerprint',
  'created_by',
  'created_at',
]
/** The select list of a whole row, for the alias `r`. */
export const refundColumns = columns.map(name => `r.${name}`).join(', ')

const partNames = [
  'id',
  'refund_id',
  'payment_id',
  'amount_cents',
  'state',
  'gateway_account_id',
  'gateway_refund_id',
  'failure_code',
  'poll_count',
]
/** The same for `refund_part p`, joined with `refund r` and `payment m`. */
export const refundPartColumns = [
  ...partNames.map(name => `p.${name}`),
  'r.invoice_id',
  'r.reason',
  'r.creates_rectifying_invoice',
  'm.payment_intent_id as intent_id',
  'extract(epoch from now() - p.requested_at)::float8 as age_seconds',
].join(', ')
