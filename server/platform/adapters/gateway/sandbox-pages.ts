import { newId } from '../../ids.ts'
import { firstOf, required } from '../../required.ts'
import { equalInConstantTime } from '../../security/constant-time.ts'
import { type Failure, GatewayMissing, GatewayRefused, type Intent, type Setup } from './port.ts'
import { behaviourOf, cardOf } from './sandbox-cards.ts'
import {
  charge,
  collectWith,
  expired,
  isExpired,
  isOpen,
  openIntent,
  refuseState,
  type SandboxCard,
  type StoredIntent,
  showIntent,
  waitForCard,
} from './sandbox-intents.ts'
import type { SandboxStore, SandboxTransaction } from './sandbox-store.ts'

/** A card as typed by its holder. */
export type TypedCard = { number: string; expiresMonth: number; expiresYear: number }
/** `methodId` is set as soon as the card is typed. */
export type StoredSetup = Setup & { customerId: string }

/**
 * The actions of a payer in the sandbox, authorized by the client secret of a setup or an intent, as on a gateway's
 * own form. Refuses cards like a gateway; throws GatewayMissing for an unknown secret.
 */
export type SandboxPages = {
  /** Saves a card. When the bank asks for authentication, the setup stays open until the holder answers. */
  submitCard(clientSecret: string, card: TypedCard): Promise<Setup & { isAuthenticationRequired: boolean }>
  /** The holder confirms to the bank that it is them, or denies it. */
  answerSetup(clientSecret: string, isThem: boolean): Promise<Setup>
  /**
   * Pays with a card. When the bank asks for authentication, the intent is `requires_action` until the holder
   * answers.
   */
  pay(clientSecret: string, card: TypedCard): Promise<Intent>
  answerIntent(clientSecret: string, isThem: boolean): Promise<Intent>
}

const notThem: Failure = {
  code: 'payment_intent_authentication_failure',
  declineCode: null,
  message: 'Your bank could not confirm that it is you. Try again, or use another card.',
}

export function openSandboxPages(store: SandboxStore): SandboxPages {
  return {
    submitCard: (secret, card) =>
      store.run(async tx => {
        const { setup, now } = await openSetup(tx, secret)
        if (isExpired(card, now)) throw new GatewayRefused(expired)
        const method = await addMethod(tx, card, setup.customerId)
        const { asks, refusesSetup, declines } = behaviourOf(method.number)
        if (refusesSetup) throw new GatewayRefused(required(declines, 'the failure of a test card'))
        setup.methodId = method.id
        if (!asks) setup.status = 'succeeded'
        await tx.update(setup.id, setup)
        return { ...showSetup(setup), isAuthenticationRequired: asks !== undefined }
      }),
    answerSetup: (secret, isThem) =>
      store.run(async tx => {
        const { setup } = await openSetup(tx, secret)
        if (setup.methodId === null) refuseSetup('There is no question of the bank to answer.')
        if (isThem) {
          setup.status = 'succeeded'
          await markAuthenticated(tx, setup.methodId)
        } else setup.methodId = null
        await tx.update(setup.id, setup)
        if (!isThem) throw new GatewayRefused({ ...notThem, code: 'setup_intent_authentication_failure' })
        return showSetup(setup)
      }),
    pay: (secret, card) =>
      store.run(async tx => {
        const opened = await openIntentBySecret(tx, secret)
        if (!isOpen(opened.intent)) refuseState(opened.intent, 'This was answered already.')
        const method = await addMethod(tx, card, opened.intent.customerId)
        await charge(tx, opened, method, false)
        return showIntent(opened.intent)
      }),
    answerIntent: (secret, isThem) =>
      store.run(async tx => {
        const { intent, now } = await openIntentBySecret(tx, secret)
        if (intent.status !== 'requires_action')
          refuseState(intent, 'There is no question of the bank to answer.')
        if (isThem)
          await collectWith(
            tx,
            intent,
            behaviourOf(
              (await markAuthenticated(tx, required(intent.methodId, 'the card of an intent'))).number,
            ),
            now,
          )
        else await waitForCard(tx, intent, notThem)
        return showIntent(intent)
      }),
  }
}

/** A refused card is not stored. */
async function addMethod(
  tx: SandboxTransaction,
  typed: TypedCard,
  customerId: string | null,
): Promise<SandboxCard> {
  const { expiresMonth, expiresYear } = typed
  const method: SandboxCard = {
    id: `pm_${newId()}`,
    ...cardOf(typed.number),
    expiresMonth,
    expiresYear,
    hasAuthenticated: false,
  }
  await tx.insert('method', method.id, method, customerId ?? undefined)
  return method
}

/** The bank does not ask again about a card with `asks: 'once'`. */
async function markAuthenticated(tx: SandboxTransaction, id: string): Promise<SandboxCard> {
  const { body: method } = await tx.lock<SandboxCard>('method', id)
  await tx.update(id, { ...method, hasAuthenticated: true })
  return method
}

/** A setup that waits for a card or for authentication. */
async function openSetup(tx: SandboxTransaction, secret: string): Promise<{ setup: StoredSetup; now: Date }> {
  const { body: setup, now } = await tx.lock<StoredSetup>('setup', idOf(secret))
  assertSecret(setup.clientSecret, secret)
  if (setup.status !== 'open') refuseSetup('This was answered already.')
  return { setup, now }
}

function refuseSetup(message: string): never {
  throw new GatewayRefused({ code: 'setup_intent_unexpected_state', declineCode: null, message })
}

async function openIntentBySecret(
  tx: SandboxTransaction,
  secret: string,
): Promise<{ intent: StoredIntent; now: Date }> {
  const opened = await openIntent(tx, idOf(secret))
  assertSecret(opened.intent.clientSecret, secret)
  return opened
}

/** The card is shown only after its bank has accepted it. */
export function showSetup({ id, status, clientSecret, methodId, metadata }: StoredSetup): Setup {
  return { id, status, clientSecret, methodId: status === 'succeeded' ? methodId : null, metadata }
}

function idOf(secret: string): string {
  return firstOf(secret.split('_secret_', 1))
}

function assertSecret(secret: string, input: string): void {
  if (!equalInConstantTime(Buffer.from(secret), Buffer.from(input)))
    throw new GatewayMissing('No such secret')
}
