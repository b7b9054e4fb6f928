import { createHmac, randomBytes } from 'node:crypto'
import { nowMs } from '../../clock.ts'
import type { Database } from '../../data/database.ts'
import { newId } from '../../ids.ts'
import { equalInConstantTime } from '../../security/constant-time.ts'
import {
  type Card,
  type CardGateway,
  type Gateway,
  type GatewayCredentials,
  GatewayMissing,
  type GatewayNotification,
  GatewayRefused,
  GatewayUnknown,
} from './port.ts'
import { behaviourOf } from './sandbox-cards.ts'
import {
  charge,
  isOpen,
  openIntent,
  refuseState,
  type SandboxCard,
  type StoredIntent,
  showIntent,
} from './sandbox-intents.ts'
import { openSandboxPages, type SandboxPages, type StoredSetup, showSetup } from './sandbox-pages.ts'
import { createRefund, listDisputes, openRefund } from './sandbox-refunds.ts'
import {
  openSandboxStore,
  type SandboxObjectKind,
  type SandboxStore,
  type SandboxTransaction,
} from './sandbox-store.ts'

/** The currencies of the sandbox. */
const currencies = ['eur', 'usd', 'gbp', 'chf', 'mxn']
/** The header that signs a notice of the sandbox: `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>">`. */
const signatureHeader = 'sandbox-signature'
const noticeSeconds = 300

/**
 * A gateway without banks: it behaves like a real one for public test cards, and stores its objects in the database
 * of the server. Its notices are `{ id, about, objectId, intentId }`; nothing sends them automatically.
 */
export function openSandbox(
  database: Database,
  { organizationId, webhookSecret }: GatewayCredentials,
): Gateway & { pages: SandboxPages } {
  const store = openSandboxStore(database, organizationId)
  return {
    ...cards(store),
    ...intents(store),
    readAccount: async () => ({ id: 'sandbox', isReady: true, currencies }),
    createRefund({ intentId, amountCents, reason, metadata }, key) {
      const input = { intentId, amountCents, metadata }
      return store.once(key, { refund: input, reason }, tx => createRefund(tx, `re_${newId()}`, input))
    },
    readRefund: id => store.run(tx => openRefund(tx, id)),
    listRefundsOf: intentId =>
      store.run(async tx => {
        const refunds = []
        for (const id of await tx.children('refund', intentId)) refunds.push(await openRefund(tx, id))
        return refunds
      }),
    listDisputesOf: intentId => store.run(tx => listDisputes(tx, intentId)),
    listMovements: (from, to) => store.movements(from, to),
    readNotice: async (body, headers) => readNotice(body, headers[signatureHeader], webhookSecret),
    pages: openSandboxPages(store),
  }
}

function cards(store: SandboxStore): CardGateway {
  return {
    createCustomer: (input, key) =>
      store.once(key, { customer: input }, async tx => {
        const id = `cus_${newId()}`
        await tx.insert('customer', id, input)
        return { id }
      }),
    createSetup: (input, key) =>
      store.once(key, { setup: input }, async tx => {
        const id = `seti_${newId()}`
        await readReferenced(tx, 'customer', input.customerId)
        const setup: StoredSetup = {
          id,
          status: 'open',
          clientSecret: secretOf(id),
          methodId: null,
          ...input,
        }
        await tx.insert('setup', id, setup, input.customerId)
        return showSetup(setup)
      }),
    readSetup: id => store.run(async tx => showSetup(await tx.read<StoredSetup>('setup', id))),
    listSetupsOf: customerId =>
      store.run(async tx => {
        const setups = []
        for (const id of (await tx.children('setup', customerId)).slice(0, 100))
          setups.push(showSetup(await tx.read<StoredSetup>('setup', id)))
        return setups
      }),
    // its cards are typed on a page of the product
    openCardPage: async () => undefined,
    readMethod: id =>
      store.run(async tx => {
        const { brand, last4, expiresMonth, expiresYear } = await tx.read<SandboxCard>('method', id)
        return { id, brand, last4, expiresMonth, expiresYear } satisfies Card
      }),
    detachMethod: (id, key) =>
      store.once(key, { detach: id }, async tx => {
        const { body: method } = await tx.lock<SandboxCard>('method', id)
        await tx.update(id, { ...method, isDetached: true })
      }),
  }
}

function intents(
  store: SandboxStore,
): Pick<Gateway, 'createIntent' | 'confirmIntent' | 'readIntent' | 'cancelIntent'> {
  return {
    createIntent: (input, key) =>
      store.once(key, { intent: input }, async tx => {
        if (input.customerId !== null) await readReferenced(tx, 'customer', input.customerId)
        if (input.methodId !== null) await readAttachedCard(tx, input.methodId)
        const id = `pi_${newId()}`
        const intent: StoredIntent = {
          id,
          ...input,
          receivedCents: 0,
          failure: null,
          ends: null,
          clientSecret: secretOf(id),
          status: input.methodId === null ? 'requires_payment_method' : 'requires_confirmation',
        }
        await tx.insert('intent', id, intent)
        return showIntent(intent)
      }),
    async confirmIntent(id, { methodId, isOffSession }, key) {
      let isLost = false
      const request = { confirm: id, methodId: methodId ?? null, isOffSession }
      const confirmed = await store.once(key, request, async tx => {
        const opened = await openIntent(tx, id)
        const { intent } = opened
        if (!isOpen(intent)) refuseState(intent, `It is ${intent.status} and cannot be confirmed.`)
        const chosen = methodId ?? intent.methodId
        if (chosen === null) refuseState(intent, 'It has no payment method.')
        const method = await readAttachedCard(tx, chosen)
        isLost = behaviourOf(method.number).isSilent === true
        await charge(tx, opened, method, isOffSession)
        return showIntent(intent)
      })
      if (isLost) throw new GatewayUnknown('The answer was lost')
      return confirmed
    },
    readIntent: id => store.run(async tx => showIntent((await openIntent(tx, id)).intent)),
    cancelIntent: (id, key) =>
      store.once(key, { cancel: id }, async tx => {
        const { intent } = await openIntent(tx, id)
        if (isOpen(intent)) {
          intent.status = 'canceled'
          await tx.update(id, intent)
        }
        return showIntent(intent)
      }),
  }
}

/** An object that a request refers to. A missing one makes the request invalid. */
function readReferenced<Body>(tx: SandboxTransaction, kind: SandboxObjectKind, id: string): Promise<Body> {
  return tx.read<Body>(kind, id).catch((error: unknown) => {
    if (!(error instanceof GatewayMissing)) throw error
    throw new GatewayRefused({ code: 'resource_missing', declineCode: null, message: error.message })
  })
}

async function readAttachedCard(tx: SandboxTransaction, id: string): Promise<SandboxCard> {
  const method = await readReferenced<SandboxCard>(tx, 'method', id)
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
): GatewayNotification | undefined {
  const [, seconds = '', input = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header)) ?? []
  if (secret === null || Math.abs(nowMs() / 1000 - Number(seconds)) > noticeSeconds) return undefined
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  const signature = Buffer.from(input, 'hex')
  if (!equalInConstantTime(expected, signature)) return undefined
  const { id, about, objectId, intentId } = JSON.parse(body.toString('utf8')) as GatewayNotification
  return { id, about, objectId, intentId }
}
