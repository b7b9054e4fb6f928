import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { type AccountRow, findAccount } from '../../gateway/account/gateway-account.sql.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { dueOf } from '../../invoices/invoice.rules.ts'
import { cancelWaitingAttempt } from '../cancel-waiting.ts'
import { usableAccount } from '../charge/charge-invoice.rules.ts'
import { assertPayable } from '../charge/start-charge.ts'
import type { AttemptRow } from '../charge.row.ts'
import { findOpenAttempt, insertAttempt } from '../charge.sql.ts'
import { collectAttempt } from '../collect.ts'
import { openGateway, type PaymentContext } from '../payment-context.ts'

type StartedPayment =
  | { as: 'started'; attempt: AttemptRow; account: AccountRow }
  | { as: 'waiting' | 'stale'; attempt: AttemptRow }
type StartPayment = (tx: Tx, invoice: InvoiceRow) => Promise<StartedPayment>

/** Another request may start a new attempt whenever one is cancelled. */
const maxRounds = 3

/**
 * The attempt with which the payer can pay now: the one that already waits for them, or a new one. There is never a
 * second one beside it. `locked` runs the given function in a transaction that has locked the invoice.
 */
export async function openPayment(
  context: PaymentContext,
  organizationId: string,
  applicationId: string | null,
  locked: (work: StartPayment) => Promise<StartedPayment>,
): Promise<AttemptRow> {
  for (let round = 0; round < maxRounds; round++) {
    const started = await locked((tx, invoice) => startPayment(tx, invoice, applicationId))
    const { attempt } = started
    if (started.as === 'started')
      return collectAttempt(
        context,
        organizationId,
        attempt,
        openGateway(context, organizationId, started.account),
      )
    if (started.as === 'waiting') return attempt
    await cancelWaitingAttempt(context, { organizationId, id: attempt.id })
  }
  return fail('CHARGE_IN_PROGRESS')
}

async function startPayment(
  tx: Tx,
  invoice: InvoiceRow,
  applicationId: string | null,
): Promise<StartedPayment> {
  const [open, current] = await Promise.all([findOpenAttempt(tx, invoice.id), findAccount(tx)])
  assertPayable(invoice, open)
  const account = usableAccount(current, invoice.currency)
  const amount_cents = dueOf(invoice)
  if (open) {
    const isGood = open.amount_cents === amount_cents && open.gateway_account_id === account.id
    return { as: isGood ? 'waiting' : 'stale', attempt: open }
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
  return { as: 'started', attempt: attempt ?? fail('CHARGE_IN_PROGRESS'), account }
}
