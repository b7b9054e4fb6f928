import { required } from '../../required.ts'
import { type GatewayDispute, type GatewayRefund, GatewayRefused, type Metadata } from './port.ts'
import { behaviourOf } from './sandbox-cards.ts'
import {
  disputeIdOf,
  openIntent,
  type SandboxCard,
  type StoredIntent,
  showIntent,
} from './sandbox-intents.ts'
import type { SandboxTransaction } from './sandbox-store.ts'

/** `ends`: the later result of a refund, and when it arrives. */
type StoredRefund = GatewayRefund & { ends: { at: string; as: 'succeeded' | 'failed' } | null }

const endsAfterMs = 10_000

/** A refund, brought up to date. */
export async function openRefund(tx: SandboxTransaction, id: string): Promise<GatewayRefund> {
  const { body: refund, now } = await tx.lock<StoredRefund>('refund', id)
  if (refund.ends && new Date(refund.ends.at) <= now) {
    const { as } = refund.ends
    refund.ends = null
    refund.status = as
    if (as === 'failed') refund.failureCode = 'expired_or_canceled_card'
    await tx.update(id, refund)
    await insertMovement(tx, refund, as === 'failed' ? refund.amountCents : -refund.amountCents)
  }
  return show(refund)
}

/** Refunds an intent, or a part of it. Refuses more than is left. */
export async function createRefund(
  tx: SandboxTransaction,
  id: string,
  input: { intentId: string; amountCents: number; metadata: Metadata },
): Promise<GatewayRefund> {
  const { intent, now } = await openIntent(tx, input.intentId)
  await assertLeft(tx, intent, input.amountCents)
  const method = await tx.read<SandboxCard>('method', required(intent.methodId, 'the card of an intent'))
  const { refunds, isDisputed } = behaviourOf(method.number)
  if (isDisputed) refuse(intent, 'charge_disputed', 'The card holder disputed this charge.')
  const { id: intentId, currency } = intent
  const refund: StoredRefund = {
    id,
    intentId,
    currency,
    amountCents: input.amountCents,
    metadata: input.metadata,
    status: refunds === 'pending' ? 'pending' : 'succeeded',
    failureCode: null,
    ends: refunds
      ? {
          at: new Date(now.getTime() + endsAfterMs).toISOString(),
          as: refunds === 'pending' ? 'succeeded' : 'failed',
        }
      : null,
  }
  await tx.insert('refund', id, refund, intentId)
  if (refund.status === 'succeeded') await insertMovement(tx, refund, -refund.amountCents)
  return show(refund)
}

/** A dispute is opened in the moment of the charge. */
export async function listDisputes(tx: SandboxTransaction, intentId: string): Promise<GatewayDispute[]> {
  const { intent } = await openIntent(tx, intentId)
  if (intent.status !== 'succeeded') return []
  const method = await tx.read<SandboxCard>('method', required(intent.methodId, 'the card of an intent'))
  if (!behaviourOf(method.number).isDisputed) return []
  return [{ id: disputeIdOf(intentId), movedCents: [-intent.receivedCents], holdsRefunds: true }]
}

async function assertLeft(tx: SandboxTransaction, intent: StoredIntent, amountCents: number): Promise<void> {
  if (intent.status !== 'succeeded')
    refuse(intent, 'payment_intent_unexpected_state', 'There is no collected amount to refund.')
  let left = intent.receivedCents
  for (const id of await tx.children('refund', intent.id)) {
    const { status, amountCents } = await openRefund(tx, id)
    if (status === 'pending' || status === 'succeeded') left -= amountCents
  }
  if (left === 0) refuse(intent, 'charge_already_refunded', 'The charge is already fully refunded.')
  if (amountCents > left)
    refuse(intent, 'amount_too_large', 'The amount is greater than what is left of the charge.')
}

function refuse(intent: StoredIntent, code: string, message: string): never {
  throw new GatewayRefused({ code, declineCode: null, message }, showIntent(intent))
}

function insertMovement(tx: SandboxTransaction, refund: GatewayRefund, amountCents: number): Promise<void> {
  const { id: objectId, intentId, currency, metadata } = refund
  return tx.insertMovement({ kind: 'REFUND', objectId, intentId, amountCents, currency, metadata })
}

function show({ ends, ...refund }: StoredRefund): GatewayRefund {
  return refund
}
