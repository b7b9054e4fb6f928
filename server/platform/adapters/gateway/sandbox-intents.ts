import { type Failure, GatewayRefused, type Intent } from './port.ts'
import { type Behaviour, behaviourOf } from './sandbox-cards.ts'
import type { SandboxTransaction } from './sandbox-store.ts'

/** A stored card. Its number is a public test number. */
export type SandboxCard = {
  id: string
  number: string
  brand: string
  last4: string
  expiresMonth: number
  expiresYear: number
  /** The holder has authenticated before. */
  hasAuthenticated: boolean
  isDetached?: true
}
/** `ends`: the result of a processing intent, and when it arrives. */
export type StoredIntent = Intent & {
  customerId: string | null
  methodId: string | null
  ends: { at: string; as: 'succeeded' | 'failed' } | null
}

const processingMs = 10_000

/** Locks an intent and brings it up to date. */
export async function openIntent(
  tx: SandboxTransaction,
  id: string,
): Promise<{ intent: StoredIntent; now: Date }> {
  const { body: intent, now } = await tx.lock<StoredIntent>('intent', id)
  if (intent.ends && new Date(intent.ends.at) <= now) {
    const { as } = intent.ends
    intent.ends = null
    if (as === 'succeeded') await collect(tx, intent, {})
    else await waitForCard(tx, intent, declined)
  }
  return { intent, now }
}

const declined: Failure = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
}

export const expired: Failure = {
  code: 'expired_card',
  declineCode: null,
  message: 'Your card has expired.',
}

/** Charges a card. Refuses with the intent when the card or its bank does. */
export async function charge(
  tx: SandboxTransaction,
  { intent, now }: { intent: StoredIntent; now: Date },
  method: SandboxCard,
  isOffSession: boolean,
): Promise<void> {
  const behaviour = behaviourOf(method.number)
  intent.methodId = method.id
  if (isExpired(method, now)) return declineIntent(tx, intent, expired)
  if (behaviour.asks === 'always' || (behaviour.asks === 'once' && !method.hasAuthenticated)) {
    if (isOffSession) {
      return declineIntent(tx, intent, {
        code: 'authentication_required',
        declineCode: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      })
    }
    intent.status = 'requires_action'
    intent.failure = null
    return tx.update(intent.id, intent)
  }
  return collectWith(tx, intent, behaviour, now)
}

/** Charges a card that needs no authentication (any more). */
export async function collectWith(
  tx: SandboxTransaction,
  intent: StoredIntent,
  behaviour: Behaviour,
  now: Date,
): Promise<void> {
  if (behaviour.declines) return declineIntent(tx, intent, behaviour.declines)
  if (!behaviour.processes) return collect(tx, intent, behaviour)
  intent.status = 'processing'
  intent.failure = null
  intent.ends = { at: new Date(now.getTime() + processingMs).toISOString(), as: behaviour.processes }
  await tx.update(intent.id, intent)
}

async function collect(
  tx: SandboxTransaction,
  intent: StoredIntent,
  { isDisputed }: Behaviour,
): Promise<void> {
  intent.status = 'succeeded'
  intent.receivedCents = intent.amountCents
  intent.failure = null
  const { id, amountCents, currency, metadata } = intent
  const movement = { objectId: id, intentId: id, amountCents, currency, metadata }
  await tx.update(id, intent)
  await tx.insertMovement({ kind: 'PAYMENT', ...movement })
  if (isDisputed)
    await tx.insertMovement({
      kind: 'DISPUTE',
      ...movement,
      objectId: disputeIdOf(id),
      amountCents: -amountCents,
      metadata: {},
    })
}

/** A payment has one dispute at most. */
export function disputeIdOf(intentId: string): string {
  return `dp_${intentId}`
}

/** Makes the intent wait for another card or another try. */
export async function waitForCard(
  tx: SandboxTransaction,
  intent: StoredIntent,
  failure: Failure,
): Promise<void> {
  intent.status = 'requires_payment_method'
  intent.failure = failure
  intent.methodId = null
  await tx.update(intent.id, intent)
}

async function declineIntent(tx: SandboxTransaction, intent: StoredIntent, failure: Failure): Promise<never> {
  await waitForCard(tx, intent, failure)
  throw new GatewayRefused(failure, showIntent(intent))
}

/** Whether an intent waits for a card or for authentication. */
export function isOpen({ status }: StoredIntent): boolean {
  return status.startsWith('requires_')
}

export function refuseState(intent: StoredIntent, message: string): never {
  throw new GatewayRefused(
    { code: 'payment_intent_unexpected_state', declineCode: null, message },
    showIntent(intent),
  )
}

export function showIntent(intent: StoredIntent): Intent {
  const { id, status, amountCents, receivedCents, currency, clientSecret, failure, metadata } = intent
  return { id, status, amountCents, receivedCents, currency, clientSecret, failure, metadata }
}

export function isExpired(
  { expiresMonth, expiresYear }: Pick<SandboxCard, 'expiresMonth' | 'expiresYear'>,
  now: Date,
): boolean {
  return now >= new Date(Date.UTC(expiresYear, expiresMonth, 1))
}
