import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAuthorization } from '#contract/billing/authorizations.ts'
import { answerCardBank, giveCard } from '#contract/billing/card-page.ts'
import * as charges from '#contract/billing/charges.ts'
import * as links from '#contract/billing/links.ts'
import * as page from '#contract/billing/pay-page.ts'
import * as payments from '#contract/billing/payments.ts'
import * as refunds from '#contract/billing/refunds.ts'
import * as sending from '#contract/billing/sending.ts'
import { secondCall } from '#contract/error-body.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import { limits } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { cards, plantAccount, sandboxPayer } from '#tests/support/billing/charges.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { blocked } from '#tests/support/blocked.ts'
import { captured, itemAt } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { plantUsed } from '#tests/support/rates.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { openSmtpServer, type SmtpServer } from '#tests/support/smtp.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { lockInvoiceById } from './invoices/invoice.access.ts'
import { setVoided } from './invoices/invoice.sql.ts'

// BIL-4, SND-2 to SND-8, CHG-6 to CHG-10, RFD-4, RFD-5 …: every refusal of every operation on invoices, for
// applications and members. Refusals that depend on the state of the invoice are in invoices/states.test.ts

let smtp: SmtpServer
let server: TestServer
let organization: Organization
let owner: Person
let shop: TestApplication
let accountId: string
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({ smtpUrl: smtp.url })
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, {
    scopes: [
      'crm:invoices:read',
      'crm:invoices:send',
      'crm:invoices:write',
      'billing:charge',
      'billing:refund',
    ],
  })
  accountId = await plantAccount(server, organization.id)
})
afterAll(async () => {
  await server?.close()
  await smtp?.close()
})
beforeEach(async () => {
  await server.sql('delete from rate_window')
  await server.sql(`update gateway_account set status = 'READY'`)
  smtp.script.afterData = 'takes'
})

/** An operation on an invoice, for applications and, where allowed, for members. */
const operations = {
  send: [sending.sendInvoice, sending.sendInvoiceByHand],
  'mark-paid': [payments.markInvoicePaid, payments.registerPayment],
  refund: [refunds.refundInvoice, refunds.refundInvoiceByHand],
  'public-link GET': [links.readPublicLink, links.showPublicLink],
  'public-link POST': [links.issuePublicLink, links.makePublicLink],
  charge: [charges.chargeInvoice, charges.chargeInvoiceByHand],
  pay: [charges.payInvoice, undefined],
} as const
type Action = keyof typeof operations
const everything = Object.keys(operations) as Action[]

/** The request: which invoice of which user, and the body. */
type Call = { id: string; userId: string; body?: object; headers?: Record<string, string> }
type Row = {
  situation: string
  of: readonly Action[]
  status: number
  code: ErrorCode
  /** Members see the invoices of all applications. */
  byApplications?: true
  /** The fields of the body besides the standard ones. */
  beside?: object
  call(operation: Action, isByHand: boolean): Promise<Call>
}

const invoice = (given: Parameters<typeof plantInvoice>[2] = {}) => plantInvoice(server, shop, given)
async function chargeable() {
  const { id, userId } = await invoice()
  return { id, userId, payer: await sandboxPayer(server, shop, accountId, userId) }
}
/** An invoice of which 121.00 was collected. */
async function collected() {
  const { id, userId } = await chargeable()
  await owner.call(charges.chargeInvoiceByHand, { params: { id }, body: {} })
  return { id, userId }
}

const rows: Row[] = [
  {
    situation: 'there is no such invoice',
    of: everything,
    status: 404,
    code: 'INVOICE_NOT_ACCESSIBLE',
    call: async () => ({ id: newId(), userId: 'u-1' }),
  },
  {
    situation: 'the invoice is of another organization',
    of: everything,
    status: 404,
    code: 'INVOICE_NOT_ACCESSIBLE',
    async call() {
      const other = await server.organization()
      return plantInvoice(server, await makeApplication(server, other), { userId: 'u-1' })
    },
  },
  {
    situation: 'the invoice is of another application',
    of: everything,
    status: 404,
    code: 'INVOICE_NOT_ACCESSIBLE',
    byApplications: true,
    async call() {
      return plantInvoice(server, await makeApplication(server, organization), { userId: 'u-1' })
    },
  },
  {
    situation: 'the invoice is of another user',
    of: everything,
    status: 404,
    code: 'INVOICE_NOT_ACCESSIBLE',
    byApplications: true,
    call: async () => ({ ...(await collected()), userId: 'u-1' }),
  },
  {
    situation: 'no recipient is known',
    of: ['send'],
    status: 422,
    code: 'INVOICE_EMAIL_NO_RECIPIENT',
    async call() {
      const made = await invoice()
      await server.sql('update external_user set email = null where external_id = $1', [made.userId])
      return made
    },
  },
  {
    situation: 'a recipient is not known',
    of: ['send'],
    status: 422,
    code: 'INVOICE_EMAIL_RECIPIENT_NOT_ALLOWED',
    call: async () => ({ ...(await invoice()), body: { cc: ['eve@example.test'] } }),
  },
  {
    situation: 'the mail server refuses',
    of: ['send'],
    status: 502,
    code: 'INVOICE_EMAIL_NOT_SENT',
    async call() {
      smtp.script.afterData = 'refuses'
      return invoice()
    },
  },
  {
    situation: 'the template is not there',
    of: ['send'],
    status: 404,
    code: 'TEMPLATE_NOT_FOUND',
    call: async () => ({ ...(await invoice()), body: { templateId: newId() } }),
  },
  {
    situation: 'more is paid than is due',
    of: ['mark-paid'],
    status: 422,
    code: 'PAYMENT_AMOUNT_EXCEEDS_DUE',
    beside: { dueCents: 12_100 },
    call: async () => ({ ...(await invoice()), body: { amount: 121.01 } }),
  },
  {
    situation: 'the invoice is fully paid',
    of: ['mark-paid', 'charge', 'pay'],
    status: 409,
    code: 'INVOICE_ALREADY_PAID',
    call: collected,
  },
  {
    situation: 'nothing was collected',
    of: ['refund'],
    status: 409,
    code: 'REFUND_NOT_ALLOWED',
    beside: { refundableCents: 0 },
    call: () => invoice(),
  },
  {
    situation: 'more is to be given back than was collected',
    of: ['refund'],
    status: 409,
    code: 'REFUND_NOT_ALLOWED',
    beside: { refundableCents: 12_100 },
    call: async () => ({ ...(await collected()), body: { amountCents: 12_101 } }),
  },
  {
    situation: 'the gateway account is not ready',
    of: ['refund', 'charge', 'pay'],
    status: 409,
    code: 'GATEWAY_ACCOUNT_NOT_READY',
    async call(operation) {
      const made = operation === 'refund' ? await collected() : await chargeable()
      await server.sql(`update gateway_account set status = 'PENDING'`)
      return made
    },
  },
  {
    situation: 'there is no current link',
    of: ['public-link GET'],
    status: 404,
    code: 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE',
    async call() {
      const { id, userId } = await invoice()
      await owner.call(links.makePublicLink, { params: { id }, body: {} })
      await server.sql(
        'update invoice_link set expires_at = now() - make_interval(secs => 0.001) where invoice_id = $1',
        [id],
      )
      return { id, userId }
    },
  },
  {
    situation: 'the user has signed no authorization',
    of: ['charge'],
    status: 409,
    code: 'PAYMENT_AUTHORIZATION_REQUIRED',
    beside: {
      nextStep: {
        operation: 'GET /payment-authorizations/consent-text',
        [secondCall]: 'POST /payment-authorizations',
        scope: 'RECURRING',
      },
    },
    call: () => invoice(),
  },
  ...['revoked', 'expired'].map(
    (what): Row => ({
      situation: `the authorization is ${what}`,
      of: ['charge'],
      status: 409,
      code: 'PAYMENT_AUTHORIZATION_NOT_ACTIVE',
      async call() {
        const { payer, ...made } = await chargeable()
        const facts =
          what === 'revoked' ? `status = 'REVOKED'` : `expires_at = now() - make_interval(secs => 0.001)`
        await server.sql(`update payment_authorization set ${facts} where id = $1`, [payer.authorizationId])
        return { ...made, body: { paymentAuthorizationId: payer.authorizationId } }
      },
    }),
  ),
  {
    situation: 'the card is not there',
    of: ['charge'],
    status: 404,
    code: 'PAYMENT_METHOD_NOT_FOUND',
    call: async () => ({ ...(await chargeable()), body: { paymentMethodId: newId() } }),
  },
  {
    situation: 'the card is of another user',
    of: ['charge'],
    status: 404,
    code: 'PAYMENT_METHOD_NOT_FOUND',
    async call() {
      const [made, other] = [await chargeable(), await chargeable()]
      return { ...made, body: { paymentMethodId: other.payer.methodId } }
    },
  },
  {
    situation: 'the card cannot be charged any more',
    of: ['charge'],
    status: 409,
    code: 'PAYMENT_METHOD_INACTIVE',
    async call() {
      const { payer, ...made } = await chargeable()
      await server.sql(`update payment_method set status = 'INACTIVE' where id = $1`, [payer.methodId])
      return { ...made, body: { paymentMethodId: payer.methodId } }
    },
  },
  {
    situation: 'the account does not take the currency',
    of: ['charge', 'pay'],
    status: 409,
    code: 'BILLING_CURRENCY_NOT_SUPPORTED',
    async call() {
      const made = await chargeable()
      await server.sql(`update invoice set currency = 'gbp' where id = $1`, [made.id])
      return made
    },
  },
  ...(['charge', 'refund'] as const).map(
    (operation): Row => ({
      situation: 'the key was used for another call',
      of: [operation],
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
      async call(_operation, isByHand) {
        const first = await collected()
        if (operation === 'charge')
          await server.sql('update invoice set paid_cents = 0 where id = $1', [first.id])
        const key = { idempotencyKey: `used by ${isByHand}` }
        await ask(operation, isByHand, { ...first, body: key })
        return { ...(await collected()), body: key }
      },
    }),
  ),
]

function ask(operation: Action, isByHand: boolean, { id, userId, body, headers = {} }: Call) {
  const promise = operations[operation][isByHand ? 1 : 0] as Operation<object>
  const user = isByHand ? {} : { userId }
  const paid = operation === 'mark-paid' ? { method: 'CASH' } : {}
  const input = promise.method === 'GET' ? { query: user } : { body: { ...user, ...paid, ...body } }
  return (isByHand ? owner : shop.client).send(promise, { params: { id }, ...input, headers } as never)
}

const cells = rows.flatMap(row =>
  row.of.flatMap(operation =>
    operations[operation]
      .map((promise, at) => ({ ...row, operation, promise, isByHand: at === 1 }))
      .filter(({ promise, isByHand }) => promise !== undefined && !(row.byApplications && isByHand)),
  ),
)
const messages = new Map<string, string>()

test.each(cells)('$operation (member: $isByHand) when $situation: $status $code', async cell => {
  const { operation, isByHand, promise, status, code, beside = {} } = cell
  expect(errors[code].status).toBe(status)
  expect((promise as Operation).errors).toContain(code)
  const call = await cell.call(operation, isByHand)
  const books = () => server.sql('select i.*, (select count(*) from ledger_entry) from invoice i order by id')
  const before = await books()
  const answer = await ask(operation, isByHand, call)
  expect([answer.status, answer.body]).toEqual([
    status,
    { statusCode: status, error: expect.any(String), message: errors[code].text, errorCode: code, ...beside },
  ])
  expect(await books()).toEqual(before)
  // missing and foreign invoices get identical replies
  if (code === 'INVOICE_NOT_ACCESSIBLE') {
    expect(answer.text).toBe(messages.get(code) ?? answer.text)
    messages.set(code, answer.text)
  }
})

const byPayer = { pay: [page.payByLink, {}], answer: [page.answerByLink, { isYou: 'yes' }] } as const

test.each(['pay', 'answer'] as const)('the payment page, %s, when the gateway refuses', async act => {
  const [operation, body] = byPayer[act]
  const { id } = await invoice()
  const { publicUrl } = await owner.call(links.makePublicLink, { params: { id }, body: {} })
  const params = { token: captured(/\/p\/(.+)/, publicUrl) }
  const submit = async () =>
    refusalOf(await server.client().send(operation as Operation<object>, { params, body } as never))
  await server.sql(`update invoice set currency = 'gbp' where id = $1`, [id])
  expect(await submit()).toEqual([409, 'BILLING_CURRENCY_NOT_SUPPORTED'])
  await server.sql(`update gateway_account set status = 'PENDING'`)
  expect(await submit()).toEqual([409, 'GATEWAY_ACCOUNT_NOT_READY'])
  // it is voided during the requests
  const coming = await server.api.services.database.transact(organization.id, async tx => {
    const [, coming] = [await lockInvoiceById(tx, id), submit()]
    await blocked(server)
    await setVoided(tx, id)
    return { answer: coming }
  })
  expect(await coming.answer).toEqual([409, 'INVOICE_STATE_INVALID'])
  expect(await submit()).toEqual([404, 'PAYMENT_LINK_NOT_VALID'])
})

test('the card page, for an invalid token and when the sandbox does not answer', async () => {
  const { userId } = await invoice()
  const body = {
    userId,
    scope: 'RECURRING',
    locale: 'es',
    version: 1,
    ip: '203.0.113.7',
    userAgent: 'Phone',
  } as const
  const { setup } = await shop.client.call(createAuthorization, { body })
  const giving = { number: cards.good, expires: '12/40' }
  const both = (token: string) =>
    Promise.all([
      server.client().send(giveCard, { params: { token }, body: giving }).then(refusalOf),
      server
        .client()
        .send(answerCardBank, { params: { token }, body: { answer: 'YES' } })
        .then(refusalOf),
    ])
  expect(await both('nothing')).toEqual(Array(2).fill([404, 'CARD_PAGE_NOT_VALID']))
  const client = new pg.Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  await client.query('begin; lock table sandbox_object in access exclusive mode')
  expect(await both(itemAt(setup.cardUrl.split('/c/'), 1))).toEqual(
    Array(2).fill([502, 'GATEWAY_NOT_REACHED']),
  )
  await client.query('rollback')
  await client.end()
})

test('send, when the hourly quota is used up: 429 with the remaining seconds', async () => {
  const { id, userId } = await invoice()
  const caller = `${organization.id}/${shop.id}`
  await plantUsed(server, {
    bucket: 'invoice-sends',
    caller,
    used: limits.invoiceSendsPerHour,
    windowSeconds: 3_600,
  })
  const answer = await ask('send', false, { id, userId })
  expect([answer.status, answer.body]).toMatchObject([
    429,
    {
      statusCode: 429,
      error: 'Too Many Requests',
      errorCode: 'RATE_LIMIT_EXCEEDED',
      retryAfterSeconds: Number(answer.headers.get('retry-after')),
    },
  ])
  expect((await ask('send', true, { id, userId })).status).toBe(200)
})

test('every error code of these operations is in the table', () => {
  const inTable = new Set(rows.map(({ code }) => code))
  // elsewhere: every state in invoices/states.test.ts, simultaneous requests in charges and sending, the quota
  // above
  const elsewhere = [
    'INVOICE_STATE_INVALID',
    'CHARGE_IN_PROGRESS',
    'INVOICE_PAYMENT_IN_PROGRESS',
    'INVOICE_RECTIFIED',
    'INVOICE_EMAIL_IN_PROGRESS',
    'RATE_LIMIT_EXCEEDED',
  ]
  const declared = Object.values(operations).flatMap(([one, two]) => [...one.errors, ...(two?.errors ?? [])])
  expect(new Set(declared)).toEqual(new Set([...inTable, ...elsewhere]))
})
