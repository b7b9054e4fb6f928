import { type GatewayDispute, type GatewayRefund, GatewayRefused, type Metadata } from './port.ts'
import type { Page } from './sandbox-books.ts'
import { behaviourOf } from './sandbox-cards.ts'
import { disputeIdOf, type KeptIntent, type Method, openIntent, showIntent } from './sandbox-intents.ts'

/** A refund as it is kept; `ends` is what comes of it later, and when. */
type KeptRefund = GatewayRefund & { ends: { at: string; as: 'succeeded' | 'failed' } | null }

const endsAfterMs = 10_000

/** A refund as it is by now. */
export async function openRefund(page: Page, id: string): Promise<GatewayRefund> {
  const { body: refund, now } = await page.open<KeptRefund>('refund', id)
  if (refund.ends && new Date(refund.ends.at) <= now) {
    const { as } = refund.ends
    refund.ends = null
    refund.status = as
    if (as === 'failed') refund.failureCode = 'expired_or_canceled_card'
    await page.put(id, refund)
    await move(page, refund, as === 'failed' ? refund.amountCents : -refund.amountCents)
  }
  return show(refund)
}

/** Gives back what an intent collected, or a part of it. Refuses more than is left. */
export async function giveBack(
  page: Page,
  id: string,
  given: { intentId: string; amountCents: number; metadata: Metadata },
): Promise<GatewayRefund> {
  const { intent, now } = await openIntent(page, given.intentId)
  await assertLeft(page, intent, given.amountCents)
  const method = await page.read<Method>('method', intent.methodId!)
  const { refunds, isDisputed } = behaviourOf(method.number)
  if (isDisputed) refuse(intent, 'charge_disputed', 'The holder of the card objected to this charge.')
  const { id: intentId, currency } = intent
  const refund: KeptRefund = {
    id,
    intentId,
    currency,
    amountCents: given.amountCents,
    metadata: given.metadata,
    status: refunds === 'pending' ? 'pending' : 'succeeded',
    failureCode: null,
    ends: refunds
      ? {
          at: new Date(now.getTime() + endsAfterMs).toISOString(),
          as: refunds === 'pending' ? 'succeeded' : 'failed',
        }
      : null,
  }
  await page.add('refund', id, refund, intentId)
  if (refund.status === 'succeeded') await move(page, refund, -refund.amountCents)
  return show(refund)
}

/** Who objects has done so when the money was collected. */
export async function disputesOf(page: Page, intentId: string): Promise<GatewayDispute[]> {
  const { intent } = await openIntent(page, intentId)
  if (intent.status !== 'succeeded') return []
  const method = await page.read<Method>('method', intent.methodId!)
  if (!behaviourOf(method.number).isDisputed) return []
  return [{ id: disputeIdOf(intentId), movedCents: [-intent.receivedCents], holdsRefunds: true }]
}

async function assertLeft(page: Page, intent: KeptIntent, amountCents: number): Promise<void> {
  if (intent.status !== 'succeeded')
    refuse(intent, 'payment_intent_unexpected_state', 'Nothing was collected that could be given back.')
  let left = intent.receivedCents
  for (const id of await page.children('refund', intent.id)) {
    const { status, amountCents } = await openRefund(page, id)
    if (status === 'pending' || status === 'succeeded') left -= amountCents
  }
  if (left === 0) refuse(intent, 'charge_already_refunded', 'Everything was given back already.')
  if (amountCents > left) refuse(intent, 'amount_too_large', 'This is more than what is left of the charge.')
}

function refuse(intent: KeptIntent, code: string, message: string): never {
  throw new GatewayRefused({ code, declineCode: null, message }, showIntent(intent))
}

function move(page: Page, refund: GatewayRefund, amountCents: number): Promise<void> {
  const { id: objectId, intentId, currency, metadata } = refund
  return page.move({ kind: 'REFUND', objectId, intentId, amountCents, currency, metadata })
}

function show({ ends, ...refund }: KeptRefund): GatewayRefund {
  return refund
}
