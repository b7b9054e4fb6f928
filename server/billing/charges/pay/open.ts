import type { Tx } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { type AccountRow, findAccount } from '../../gateway/account/gateway-account.sql.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { dueOf } from '../../invoices/invoice.rules.ts'
import { cancelWaiting } from '../cancel.ts'
import { assertFree } from '../charge/begin.ts'
import { usable } from '../charge/charge-invoice.rules.ts'
import type { AttemptRow } from '../charge.row.ts'
import { findOpenAttempt, insertAttempt } from '../charge.sql.ts'
import { collect } from '../collect.ts'
import { gatewayAt, type Till } from '../till.ts'

type Begun =
  | { as: 'begun'; attempt: AttemptRow; account: AccountRow }
  | { as: 'waits' | 'stale'; attempt: AttemptRow }
type Begin = (tx: Tx, invoice: InvoiceRow) => Promise<Begun>

/** Somebody may begin another payment each time that one was cancelled for this one. */
const rounds = 3

/**
 * The payment of an invoice that its payer can make now: the one that waits for them already, whoever began it, or a new
 * one. There is never a second one beside it. `locked` runs the given work in a transaction that has locked the invoice.
 */
export async function openPayment(
  till: Till,
  organizationId: string,
  applicationId: string | null,
  locked: (work: Begin) => Promise<Begun>,
): Promise<AttemptRow> {
  for (let round = 0; round < rounds; round++) {
    const begun = await locked((tx, invoice) => begin(tx, invoice, applicationId))
    const { attempt } = begun
    if (begun.as === 'begun')
      return collect(till, organizationId, attempt, gatewayAt(till, organizationId, begun.account))
    if (begun.as === 'waits') return attempt
    await cancelWaiting(till, { organizationId, id: attempt.id })
  }
  return fail('CHARGE_IN_PROGRESS')
}

async function begin(tx: Tx, invoice: InvoiceRow, applicationId: string | null): Promise<Begun> {
  const [open, current] = await Promise.all([findOpenAttempt(tx, invoice.id), findAccount(tx)])
  assertFree(invoice, open)
  const account = usable(current, invoice.currency)
  const amount_cents = dueOf(invoice)
  if (open) {
    const isGood = open.amount_cents === amount_cents && open.gateway_account_id === account.id
    return { as: isGood ? 'waits' : 'stale', attempt: open }
  }
  const attempt = await insertAttempt(tx, {
    id: newId(),
    invoice_id: invoice.id,
    application_id: applicationId,
    kind: 'ON_SESSION',
    amount_cents,
    currency: invoice.currency,
    gateway_account_id: account.id,
    customer_id: null,
    payment_method_id: null,
    gateway_method_id: null,
    authorization_id: null,
    idempotency_key: null,
    fingerprint: null,
  })
  return { as: 'begun', attempt: attempt ?? fail('CHARGE_IN_PROGRESS'), account }
}
