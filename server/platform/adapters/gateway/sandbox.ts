import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { nowMs } from '../../clock.ts'
import type { Database } from '../../data/database.ts'
import { newId } from '../../ids.ts'
import {
  type Card,
  type CardGateway,
  type Gateway,
  type GatewayAccount,
  GatewayMissing,
  GatewayRefused,
  GatewayUnknown,
  type Notice,
} from './port.ts'
import { type Books, type Kind, openBooks, type Page } from './sandbox-books.ts'
import { behaviourOf } from './sandbox-cards.ts'
import {
  charge,
  isOpen,
  type KeptIntent,
  type Method,
  openIntent,
  refuseState,
  showIntent,
} from './sandbox-intents.ts'
import { type KeptSetup, openSandboxPages, type SandboxPages, showSetup } from './sandbox-pages.ts'
import { disputesOf, giveBack, openRefund } from './sandbox-refunds.ts'

/** What the sandbox collects in. */
const currencies = ['eur', 'usd', 'gbp', 'chf', 'mxn']
/** The header that signs a notice of the sandbox: `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>">`. */
const signatureHeader = 'sandbox-signature'
const noticeSeconds = 300

/**
 * A gateway without banks: it behaves like one, with cards that everybody knows, and keeps its books in the database of
 * the server. Its notices, which nobody sends by themselves, are `{ id, about, objectId, intentId }`.
 */
export function openSandbox(
  database: Database,
  { organizationId, webhookSecret }: GatewayAccount,
): Gateway & { desk: SandboxPages } {
  const books = openBooks(database, organizationId)
  return {
    ...cards(books),
    ...intents(books),
    readAccount: async () => ({ id: 'sandbox', isReady: true, currencies }),
    createRefund({ intentId, amountCents, reason, metadata }, key) {
      const given = { intentId, amountCents, metadata }
      return books.once(key, { refund: given, reason }, page => giveBack(page, `re_${newId()}`, given))
    },
    readRefund: id => books.look(page => openRefund(page, id)),
    listRefundsOf: intentId =>
      books.look(async page => {
        const refunds = []
        for (const id of await page.children('refund', intentId)) refunds.push(await openRefund(page, id))
        return refunds
      }),
    listDisputesOf: intentId => books.look(page => disputesOf(page, intentId)),
    listMovements: (from, to) => books.movements(from, to),
    readNotice: async (body, headers) => readNotice(body, headers[signatureHeader], webhookSecret),
    desk: openSandboxPages(books),
  }
}

function cards(books: Books): CardGateway {
  return {
    createCustomer: (given, key) =>
      books.once(key, { customer: given }, async page => {
        const id = `cus_${newId()}`
        await page.add('customer', id, given)
        return { id }
      }),
    createSetup: (given, key) =>
      books.once(key, { setup: given }, async page => {
        const id = `seti_${newId()}`
        await named(page, 'customer', given.customerId)
        const setup: KeptSetup = {
          id,
          status: 'open',
          clientSecret: secretOf(id),
          methodId: null,
          ...given,
        }
        await page.add('setup', id, setup, given.customerId)
        return showSetup(setup)
      }),
    readSetup: id => books.look(async page => showSetup(await page.read<KeptSetup>('setup', id))),
    listSetupsOf: customerId =>
      books.look(async page => {
        const setups = []
        for (const id of (await page.children('setup', customerId)).slice(0, 100))
          setups.push(showSetup(await page.read<KeptSetup>('setup', id)))
        return setups
      }),
    // its cards are typed on a page of the product
    openCardPage: async () => undefined,
    readMethod: id =>
      books.look(async page => {
        const { brand, last4, expiresMonth, expiresYear } = await page.read<Method>('method', id)
        return { id, brand, last4, expiresMonth, expiresYear } satisfies Card
      }),
    detachMethod: (id, key) =>
      books.once(key, { detach: id }, async page => {
        const { body: method } = await page.open<Method>('method', id)
        await page.put(id, { ...method, isDetached: true })
      }),
  }
}

function intents(
  books: Books,
): Pick<Gateway, 'createIntent' | 'confirmIntent' | 'readIntent' | 'cancelIntent'> {
  return {
    createIntent: (given, key) =>
      books.once(key, { intent: given }, async page => {
        if (given.customerId !== null) await named(page, 'customer', given.customerId)
        if (given.methodId !== null) await cardNamed(page, given.methodId)
        const id = `pi_${newId()}`
        const intent: KeptIntent = {
          id,
          ...given,
          receivedCents: 0,
          failure: null,
          ends: null,
          clientSecret: secretOf(id),
          status: given.methodId === null ? 'requires_payment_method' : 'requires_confirmation',
        }
        await page.add('intent', id, intent)
        return showIntent(intent)
      }),
    async confirmIntent(id, { methodId, isOffSession }, key) {
      let isLost = false
      const asked = { confirm: id, methodId: methodId ?? null, isOffSession }
      const confirmed = await books.once(key, asked, async page => {
        const opened = await openIntent(page, id)
        const { intent } = opened
        if (!isOpen(intent)) refuseState(intent, `It is ${intent.status} and cannot be confirmed.`)
        const chosen = methodId ?? intent.methodId
        if (chosen === null) refuseState(intent, 'It has no payment method.')
        const method = await cardNamed(page, chosen)
        isLost = behaviourOf(method.number).isSilent === true
        await charge(page, opened, method, isOffSession)
        return showIntent(intent)
      })
      if (isLost) throw new GatewayUnknown('The answer was lost')
      return confirmed
    },
    readIntent: id => books.look(async page => showIntent((await openIntent(page, id)).intent)),
    cancelIntent: (id, key) =>
      books.once(key, { cancel: id }, async page => {
        const { intent } = await openIntent(page, id)
        if (isOpen(intent)) {
          intent.status = 'canceled'
          await page.put(id, intent)
        }
        return showIntent(intent)
      }),
  }
}

/** What a request names besides its own object must be there: otherwise the request is not valid. */
function named<Body>(page: Page, kind: Kind, id: string): Promise<Body> {
  return page.read<Body>(kind, id).catch((error: unknown) => {
    if (!(error instanceof GatewayMissing)) throw error
    throw new GatewayRefused({ code: 'resource_missing', declineCode: null, message: error.message })
  })
}

async function cardNamed(page: Page, id: string): Promise<Method> {
  const method = await named<Method>(page, 'method', id)
  if (!method.isDetached) return method
  const message = 'This card was detached from its customer and cannot be used again.'
  throw new GatewayRefused({ code: 'payment_method_unexpected_state', declineCode: null, message })
}

function secretOf(id: string): string {
  return `${id}_secret_${randomBytes(18).toString('base64url')}`
}

function readNotice(
  body: Buffer,
  header: string | string[] | undefined,
  secret: string | null,
): Notice | undefined {
  const [, seconds = '', given = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header)) ?? []
  if (secret === null || Math.abs(nowMs() / 1000 - Number(seconds)) > noticeSeconds) return undefined
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  const signature = Buffer.from(given, 'hex')
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined
  const { id, about, objectId, intentId } = JSON.parse(body.toString('utf8')) as Notice
  return { id, about, objectId, intentId }
}
