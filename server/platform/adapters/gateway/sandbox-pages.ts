import { timingSafeEqual } from 'node:crypto'
import { newId } from '../../ids.ts'
import { type Failure, GatewayMissing, GatewayRefused, type Intent, type Setup } from './port.ts'
import type { Books, Page } from './sandbox-books.ts'
import { behaviourOf, cardOf } from './sandbox-cards.ts'
import {
  charge,
  collectWith,
  expired,
  isExpired,
  isOpen,
  type KeptIntent,
  type Method,
  openIntent,
  refuseState,
  showIntent,
  wait,
} from './sandbox-intents.ts'

/** A card as its holder types it. */
export type TypedCard = { number: string; expiresMonth: number; expiresYear: number }
/** A setup as it is kept. `methodId` is there from the moment that the card was typed. */
export type KeptSetup = Setup & { customerId: string }

/**
 * What a payer does at the sandbox in their browser, by the secret of a setup or of an intent, as they would at a
 * gateway's own form. Refuses cards as a gateway does; throws GatewayMissing for a secret that opens nothing.
 */
export type SandboxPages = {
  /** Gives a card for later. When the bank asks, the setup stays open until it is answered. */
  giveCard(clientSecret: string, card: TypedCard): Promise<Setup & { isAsked: boolean }>
  /** The holder says to the bank that it is them, or not. */
  answerSetup(clientSecret: string, isThem: boolean): Promise<Setup>
  /** Pays with a card. When the bank asks, the intent is `requires_action` until it is answered. */
  pay(clientSecret: string, card: TypedCard): Promise<Intent>
  answerIntent(clientSecret: string, isThem: boolean): Promise<Intent>
}

const notThem: Failure = {
  code: 'payment_intent_authentication_failure',
  declineCode: null,
  message: 'The bank could not make sure that it is you. Try again, or use another card.',
}

export function openSandboxPages(books: Books): SandboxPages {
  return {
    giveCard: (secret, card) =>
      books.look(async page => {
        const { setup, now } = await openSetup(page, secret)
        if (isExpired(card, now)) throw new GatewayRefused(expired)
        const method = await addMethod(page, card, setup.customerId)
        const { asks, refusesSetup, declines } = behaviourOf(method.number)
        if (refusesSetup) throw new GatewayRefused(declines!)
        setup.methodId = method.id
        if (!asks) setup.status = 'succeeded'
        await page.put(setup.id, setup)
        return { ...showSetup(setup), isAsked: asks !== undefined }
      }),
    answerSetup: (secret, isThem) =>
      books.look(async page => {
        const { setup } = await openSetup(page, secret)
        if (setup.methodId === null) refuseSetup('The bank asks nothing.')
        if (isThem) {
          setup.status = 'succeeded'
          await markAsked(page, setup.methodId)
        } else setup.methodId = null
        await page.put(setup.id, setup)
        if (!isThem) throw new GatewayRefused({ ...notThem, code: 'setup_intent_authentication_failure' })
        return showSetup(setup)
      }),
    pay: (secret, card) =>
      books.look(async page => {
        const opened = await openPaid(page, secret)
        if (!isOpen(opened.intent)) refuseState(opened.intent, 'This was answered already.')
        const method = await addMethod(page, card, opened.intent.customerId)
        await charge(page, opened, method, false)
        return showIntent(opened.intent)
      }),
    answerIntent: (secret, isThem) =>
      books.look(async page => {
        const { intent, now } = await openPaid(page, secret)
        if (intent.status !== 'requires_action') refuseState(intent, 'The bank asks nothing.')
        if (isThem)
          await collectWith(page, intent, behaviourOf((await markAsked(page, intent.methodId!)).number), now)
        else await wait(page, intent, notThem)
        return showIntent(intent)
      }),
  }
}

/** A card that is typed. One that is refused is not kept. */
async function addMethod(page: Page, typed: TypedCard, customerId: string | null): Promise<Method> {
  const { expiresMonth, expiresYear } = typed
  const method: Method = {
    id: `pm_${newId()}`,
    ...cardOf(typed.number),
    expiresMonth,
    expiresYear,
    isAsked: false,
  }
  await page.add('method', method.id, method, customerId ?? undefined)
  return method
}

/** The bank does not ask again about a card that it asks about once. */
async function markAsked(page: Page, id: string): Promise<Method> {
  const { body: method } = await page.open<Method>('method', id)
  await page.put(id, { ...method, isAsked: true })
  return method
}

/** A setup that waits for a card, or for an answer. */
async function openSetup(page: Page, secret: string): Promise<{ setup: KeptSetup; now: Date }> {
  const { body: setup, now } = await page.open<KeptSetup>('setup', idOf(secret))
  assertSecret(setup.clientSecret, secret)
  if (setup.status !== 'open') refuseSetup('This was answered already.')
  return { setup, now }
}

function refuseSetup(message: string): never {
  throw new GatewayRefused({ code: 'setup_intent_unexpected_state', declineCode: null, message })
}

async function openPaid(page: Page, secret: string): Promise<{ intent: KeptIntent; now: Date }> {
  const opened = await openIntent(page, idOf(secret))
  assertSecret(opened.intent.clientSecret, secret)
  return opened
}

/** Nobody is told of a card before its bank is content. */
export function showSetup({ id, status, clientSecret, methodId, metadata }: KeptSetup): Setup {
  return { id, status, clientSecret, methodId: status === 'succeeded' ? methodId : null, metadata }
}

function idOf(secret: string): string {
  return secret.split('_secret_', 1)[0]!
}

function assertSecret(kept: string, given: string): void {
  const [a, b] = [Buffer.from(kept), Buffer.from(given)]
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw new GatewayMissing('No such secret')
}
