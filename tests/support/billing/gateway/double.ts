import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { newId } from '#platform/ids.ts'
import { defined } from '../../elements.ts'
import { openGatewayBooks } from './books.ts'
import { type Params, pageOf, paramsOf, WireError } from './wire.ts'

/**
 * A test double of Stripe: a small HTTP server that speaks its wire format for the calls of the product. It has
 * Stripe's idempotency (replies are stored for 24 hours, 402 and 500 too; another body with the same key is 400), a
 * clock that can be moved, and every fault that a gateway can have. `fails('confirmIntent', 'drop after')` plans a
 * fault and `heals()` ends it; `pays(intentId, number)` acts as the payer; `later(ms)` moves the clock;
 * `notice(type, object)` returns a signed notice. The SDK repeats a request once when the connection was closed, so
 * a fault lasts for two requests by default. `captures()` is what it really collected.
 */
export type GatewayDouble = ReturnType<typeof doubleOf> & {
  readonly url: string
  /** Stops listening until `up`. */
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
}

export const faults = [
  // the connection is reset before the request is read
  'refuse',
  // the request is read, then the connection is closed
  'drop before',
  // executed, then the connection is closed
  'drop after',
  // executed, and the reply comes after `delayMs`
  'delay',
  '500 before',
  // executed, and this key gets 500 from now on
  '500 after',
  '429',
  '409 in use',
  // executed, and the reply is unreadable
  'garbage',
] as const
export type Fault = (typeof faults)[number]

/** The routes, by the names of the port. */
const routes = {
  readAccount: ['GET', /^\/v1\/account$/],
  readCountry: ['GET', /^\/v1\/country_specs\/(\w+)$/],
  createCustomer: ['POST', /^\/v1\/customers$/],
  createSetup: ['POST', /^\/v1\/setup_intents$/],
  listSetups: ['GET', /^\/v1\/setup_intents$/],
  openCardPage: ['POST', /^\/v1\/checkout\/sessions$/],
  readSetup: ['GET', /^\/v1\/setup_intents\/(\w+)$/],
  readMethod: ['GET', /^\/v1\/payment_methods\/(\w+)$/],
  detachMethod: ['POST', /^\/v1\/payment_methods\/(\w+)\/detach$/],
  createIntent: ['POST', /^\/v1\/payment_intents$/],
  readIntent: ['GET', /^\/v1\/payment_intents\/(\w+)$/],
  confirmIntent: ['POST', /^\/v1\/payment_intents\/(\w+)\/confirm$/],
  cancelIntent: ['POST', /^\/v1\/payment_intents\/(\w+)\/cancel$/],
  createRefund: ['POST', /^\/v1\/refunds$/],
  readRefund: ['GET', /^\/v1\/refunds\/(\w+)$/],
  listRefunds: ['GET', /^\/v1\/refunds$/],
  listDisputes: ['GET', /^\/v1\/disputes$/],
  listMovements: ['GET', /^\/v1\/balance_transactions$/],
} as const
export type DoubleOperation = keyof typeof routes

type DoubleAnswer = { status: number; body: unknown }
type DoubleRequest = {
  operation: DoubleOperation
  id: string
  params: Params
  key: string | undefined
  text: string
}

export const doubleKey = 'sk_test_double'
export const doubleWebhookSecret = 'whsec_double'
const apiVersion = '2026-10-28.endive'
const keyMs = 24 * 3_600_000

function doubleOf() {
  let movedMs = 0
  const now = () => Date.now() + movedMs
  const books = openGatewayBooks(now)
  const plans = new Map<DoubleOperation, { fault: Fault; left: number }>()
  const storedAnswers = new Map<string, { fingerprint: string; at: number; answer: DoubleAnswer }>()
  const requests: { operation: DoubleOperation; key: string | undefined; params: Params }[] = []
  const double = {
    secretKey: doubleKey,
    webhookSecret: doubleWebhookSecret,
    /** All requests, failed ones included. */
    requests,
    /** The delay of late replies. */
    delayMs: 2_000,
    fails(operation: DoubleOperation, fault: Fault, times = 2) {
      plans.set(operation, { fault, left: times })
    },
    heals: () => plans.clear(),
    addCustomer: () => books.createCustomer({}).id,
    later(ms: number) {
      movedMs += ms
    },
    /** The state of the account: `charges_enabled: false` makes it not ready. */
    account: books.account,
    intent: (id: string) => books.intentOf(id).intent,
    intents: () => [...books.intents.keys()].map(id => books.intentOf(id).intent),
    refunds: () => books.refundsOf(undefined),
    movements: () => books.movements,
    setup: books.setupOf,
    addMethod: books.addMethod,
    /** A card; without a customer once it is detached. */
    method: (id: string) => books.methodOf(id),
    /** The card holder disputes a payment: what that took and returned, in the currency of the balance. */
    objects: books.object,
    /** The payer saves a card, pays in the browser, or answers their bank. */
    givesCard: books.giveCard,
    givesCardOnPage: (url: string, number: string) => books.giveCardOnPage(url, number),
    pays: books.pay,
    answersBank: books.answerBank,
    /** A refund in the gateway's dashboard. */
    refundsInPanel: (intentId: string, amountCents?: number) =>
      books.createRefund({
        payment_intent: intentId,
        ...(amountCents !== undefined && { amount: String(amountCents) }),
      }),
    /** Deletes an intent, as when test data is deleted. */
    forgets: (intentId: string) => books.intents.delete(intentId),
    /** The collected intents: each at most once. */
    captures: () => [...books.intents.values()].filter(({ intent }) => intent.amount_received > 0),
    collectedCents: () =>
      double.captures().reduce((sum, { intent: { amount_received } }) => sum + amount_received, 0),
    /** A signed notice about an object. */
    notice(type: string, object: object, { secret = doubleWebhookSecret, ageMs = 0 } = {}) {
      const id = `evt_${newId()}`
      const body = JSON.stringify({ id, object: 'event', api_version: apiVersion, type, data: { object } })
      const timestamp = Math.floor((Date.now() - ageMs) / 1000)
      const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
      return { body, headers: { 'content-type': 'application/json', 'stripe-signature': header } }
    },
    respond,
  }
  return double

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(defined(request.url), 'http://double')
    const match = Object.entries(routes).find(
      ([, [method, path]]) => method === request.method && path.test(url.pathname),
    )
    const operation = match?.[0] as DoubleOperation | undefined
    const fault = operation && takeFault(operation)
    if (fault === 'refuse') return void request.socket.resetAndDestroy()
    let text = ''
    for await (const chunk of request) text += chunk
    if (!operation) return send(response, notFound)
    const id = routes[operation][1].exec(url.pathname)?.[1] ?? ''
    const params = paramsOf(request.method === 'POST' ? text : url.search)
    const header = request.headers['idempotency-key']
    const key = typeof header === 'string' ? header : undefined
    requests.push({ operation, key, params })
    if (request.headers.authorization !== `Bearer ${doubleKey}`) return send(response, wrongKey)
    if (request.headers['stripe-version'] !== apiVersion) return send(response, wrongVersion)
    if (fault === 'drop before') return void request.socket.destroy()
    if (fault && fault in before) return send(response, defined(before[fault]))
    const answer = answerOnce({ operation, id, params, key, text }, fault === '500 after')
    if (fault === 'drop after') return void request.socket.destroy()
    if (fault === 'delay') await sleep(double.delayMs)
    if (fault === 'garbage') return void response.writeHead(200).end('<html>Bad gateway')
    send(response, answer)
  }

  function takeFault(operation: DoubleOperation): Fault | undefined {
    const plan = plans.get(operation)
    if (!plan || plan.left === 0) return undefined
    plan.left--
    return plan.fault
  }

  function answerOnce(request: DoubleRequest, isBroken: boolean): DoubleAnswer {
    const { key, operation, id, text } = request
    const fingerprint = `${operation} ${id} ${text}`
    const first = key === undefined ? undefined : storedAnswers.get(key)
    if (first && first.at > now() - keyMs) return first.fingerprint === fingerprint ? first.answer : otherBody
    const done = answerTo(request)
    const answer = isBroken ? broken : done
    // an invalid request is not stored
    const isStored = answer.status < 400 || answer.status === 402 || answer.status >= 500
    if (key !== undefined && isStored) storedAnswers.set(key, { fingerprint, at: now(), answer })
    return answer
  }

  function answerTo({ operation, id, params }: DoubleRequest): DoubleAnswer {
    try {
      // a copy: a stored reply does not change
      return { status: 200, body: structuredClone(run(operation, id, params)) }
    } catch (error) {
      if (error instanceof WireError)
        return { status: error.status, body: structuredClone({ error: error.error }) }
      throw error
    }
  }

  function run(operation: DoubleOperation, id: string, params: Params): object {
    const operations: Record<DoubleOperation, () => object> = {
      readAccount: () => books.account,
      readCountry: () => ({
        id,
        object: 'country_spec',
        supported_payment_currencies: ['eur', 'usd', 'isk', 'mga', 'ugx', 'gbp'],
      }),
      createCustomer: () => books.createCustomer(params),
      createSetup: () => books.createSetup(params),
      listSetups: () => pageOf(books.setupsOf(params.customer), params),
      openCardPage: () => books.openCardPage(params),
      readSetup: () => books.setupOf(id),
      readMethod: () => books.methodOf(id),
      detachMethod: () => books.detachMethod(id),
      createIntent: () => books.createIntent(params),
      readIntent: () => books.intentOf(id).intent,
      confirmIntent: () => books.confirmIntent(id, params),
      cancelIntent: () => books.cancelIntent(id),
      createRefund: () => books.createRefund(params),
      readRefund: () => books.refundOf(id),
      listRefunds: () => {
        books.intentOf(String(params.payment_intent))
        return pageOf(books.refundsOf(params.payment_intent), params)
      },
      listDisputes: () => pageOf(books.disputesOf(params.payment_intent), params),
      listMovements: () => {
        const { gte, lt } = (params.created ?? {}) as Params
        const within = ({ created }: { created: number }) =>
          created >= Number(gte ?? 0) && created < Number(lt ?? Number.POSITIVE_INFINITY)
        return pageOf(books.movements.filter(within), params)
      },
    }
    return operations[operation]()
  }
}

const failure = (status: number, type: string, message: string, code?: string): DoubleAnswer => ({
  status,
  body: { error: { type, message, ...(code && { code }) } },
})
const broken = failure(500, 'api_error', 'An unknown error occurred')
const before: Partial<Record<Fault, DoubleAnswer>> = {
  '500 before': broken,
  '429': failure(429, 'invalid_request_error', 'Too many requests', 'rate_limit'),
  '409 in use': failure(
    409,
    'idempotency_error',
    'There is another request with this key',
    'idempotency_key_in_use',
  ),
}
const otherBody = failure(
  400,
  'idempotency_error',
  'Keys for idempotent requests can only be used with the same parameters they were first used with.',
)
const wrongKey = failure(401, 'invalid_request_error', `Invalid API Key provided: ${doubleKey}`)
const wrongVersion = failure(400, 'invalid_request_error', 'This version is not the pinned one')
const notFound = failure(404, 'invalid_request_error', 'Unrecognized request URL')

function send(response: ServerResponse, { status, body }: DoubleAnswer): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${newId()}` })
    .end(JSON.stringify(body))
}

/** Starts a double on a free port. */
export async function openDouble(): Promise<GatewayDouble> {
  const double = doubleOf()
  const server: Server = createServer((request, response) => {
    double.respond(request, response).catch(() => response.destroy())
  })
  server.unref()
  const listen = (port: number) =>
    new Promise<void>(resolve => server.listen(port, '127.0.0.1', () => resolve()))
  const stop = async () => {
    const stopped = new Promise(resolve => server.close(resolve))
    server.closeAllConnections()
    await stopped
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}`,
    down: stop,
    up: () => listen(port),
    close: async () => {
      if (server.listening) await stop()
    },
  })
}
