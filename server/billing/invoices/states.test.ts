import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as budgets from '#contract/billing/budgets.ts'
import * as charges from '#contract/billing/charges.ts'
import * as invoices from '#contract/billing/invoices.ts'
import * as links from '#contract/billing/links.ts'
import * as page from '#contract/billing/pay-page.ts'
import * as payments from '#contract/billing/payments.ts'
import * as refunds from '#contract/billing/refunds.ts'
import * as reminders from '#contract/billing/reminders.ts'
import * as sending from '#contract/billing/sending.ts'
import type { InvoiceStatus } from '#contract/billing/shapes.ts'
import { errors } from '#contract/errors.ts'
import { contractConsts } from '#tests/invariants/operations.ts'
import { cards } from '#tests/support/billing/charges.ts'
import {
  eventNames,
  type InvoiceScenario,
  invoiceInState,
  openInvoiceScenario,
  type ScenarioInvoice,
  type ScenarioState,
  scenarioStates,
  storedState,
} from '#tests/support/billing/invoice-states.ts'
import { plantSignedBudget } from '#tests/support/crm/budgets.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import { oneOfEach } from '#tests/support/sample.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// INV-1 to INV-7: every operation in every state, payments included: its result, its events, and that a refusal
// changes nothing

let server: TestServer
let cast: InvoiceScenario
beforeAll(async () => {
  server = await startTestServer()
  cast = await openInvoiceScenario(server)
})
afterAll(() => server?.close())

type Answer = { status: number; body: unknown }
type Act = (it: ScenarioInvoice) => Promise<Answer>
const on = ({ id }: Pick<ScenarioInvoice, 'id'>) => ({ params: { id } })
const by = ({ id, userId }: ScenarioInvoice, body: object = {}) =>
  ({ params: { id }, body: { userId, ...body } }) as never
const at = ({ token }: ScenarioInvoice, body?: object) =>
  ({ params: { token }, ...(body && { body }) }) as never
const app = () => cast.shop.client
const anyone = () => server.client()
const card = { number: cards.good, expires: '12/40' }

/** Named after the operation, with the special case. */
const acts: Record<string, Act> = {
  issueInvoice: it => app().send(invoices.issueInvoice, by(it)),
  'issueInvoice of what rectifies it': async it => {
    const started = await cast.owner.send(invoices.rectifyInvoice, { ...on(it), body: { reason: 'Wrong' } })
    if (started.status !== 201) return started
    return cast.owner.send(invoices.issueInvoice, on(started.body))
  },
  voidInvoice: it => app().send(invoices.voidInvoice, by(it)),
  rectifyInvoice: it => cast.owner.send(invoices.rectifyInvoice, { ...on(it), body: { reason: 'Wrong' } }),
  updateInvoice: it => cast.owner.send(invoices.updateInvoice, { ...on(it), body: { notes: 'New' } }),
  'updateInvoice in its internal notes': it =>
    cast.owner.send(invoices.updateInvoice, { ...on(it), body: { internalNotes: 'New' } }),
  removeInvoice: it => cast.owner.send(invoices.removeInvoice, on(it)),
  linkInvoiceToBudget: async it => {
    const { id: budgetId } = await plantSignedBudget(server, cast.owner, { clientId: cast.clientId })
    return cast.owner.send(budgets.linkInvoiceToBudget, { ...on(it), body: { budgetId } })
  },
  unlinkInvoiceFromBudget: it => cast.owner.send(budgets.unlinkInvoiceFromBudget, on(it)),
  markInvoicePaid: it => app().send(payments.markInvoicePaid, by(it, { method: 'TRANSFER' })),
  'markInvoicePaid in part': it =>
    app().send(payments.markInvoicePaid, by(it, { method: 'TRANSFER', amount: 20 })),
  reversePayment: async it => {
    const { payments: made } = await cast.owner.call(invoices.readInvoice, on(it))
    const params = { id: it.id, paymentId: made[0]?.id ?? it.id }
    return cast.owner.send(payments.reversePayment, { params, body: { reason: 'Booked twice' } })
  },
  registerPayment: it => cast.owner.send(payments.registerPayment, { ...on(it), body: { method: 'CASH' } }),
  sendInvoice: it => app().send(sending.sendInvoice, by(it)),
  sendInvoiceByHand: it => cast.owner.send(sending.sendInvoiceByHand, { ...on(it), body: {} }),
  issuePublicLink: it => app().send(links.issuePublicLink, by(it)),
  makePublicLink: it => cast.owner.send(links.makePublicLink, { ...on(it), body: {} }),
  readPublicLink: it => app().send(links.readPublicLink, { ...on(it), query: { userId: it.userId } }),
  showPublicLink: it => cast.owner.send(links.showPublicLink, on(it)),
  revokeInvoiceLink: async it => {
    const { items } = await cast.owner.call(links.listInvoiceLinks, on(it))
    const linkId = items[0]?.id ?? it.id
    return cast.owner.send(links.revokeInvoiceLink, { params: { id: it.id, linkId } })
  },
  pauseInvoiceReminders: it =>
    cast.owner.send(reminders.pauseInvoiceReminders, {
      ...on(it),
      body: { isPaused: true, isClientPaused: false },
    }),
  chargeInvoice: it => app().send(charges.chargeInvoice, by(it)),
  chargeInvoiceByHand: it => cast.owner.send(charges.chargeInvoiceByHand, { ...on(it), body: {} }),
  payInvoice: it => app().send(charges.payInvoice, by(it)),
  refundInvoice: it => app().send(refunds.refundInvoice, by(it)),
  'refundInvoice in part': it => app().send(refunds.refundInvoice, by(it, { amountCents: 1_000 })),
  refundInvoiceByHand: it => cast.owner.send(refunds.refundInvoiceByHand, { ...on(it), body: {} }),
  openPayPage: it => anyone().send(page.openPayPage, at(it)),
  openPayDocument: it => anyone().send(page.openPayDocument, at(it)),
  payByLink: it => anyone().send(page.payByLink, at(it, card)),
  answerByLink: it => anyone().send(page.answerByLink, at(it, { isYou: 'yes' })),
}
/** The result of an operation in each state. */
type Group = 'notIssued' | 'owing' | 'waits' | 'atWork' | 'settled'
const groups: Record<ScenarioState, [Group, InvoiceStatus]> = {
  DRAFT: ['notIssued', 'DRAFT'],
  VOIDED: ['notIssued', 'VOIDED'],
  ISSUED: ['owing', 'ISSUED'],
  SENT: ['owing', 'SENT'],
  PARTIALLY_PAID: ['owing', 'PARTIALLY_PAID'],
  'PAID in part by card': ['owing', 'PARTIALLY_PAID'],
  'rectified in part': ['owing', 'ISSUED'],
  'charge FAILED': ['owing', 'ISSUED'],
  'charge REQUIRES_ACTION': ['waits', 'ISSUED'],
  'charge CREATED': ['atWork', 'ISSUED'],
  'charge CONFIRMING': ['atWork', 'ISSUED'],
  'charge PROCESSING': ['atWork', 'ISSUED'],
  'charge CANCELING': ['atWork', 'ISSUED'],
  PAID: ['settled', 'PAID'],
  'PAID by card': ['settled', 'PAID'],
  'refunded in part': ['settled', 'PAID'],
  refunded: ['settled', 'PAID'],
  'refund PENDING': ['settled', 'PAID'],
  disputed: ['settled', 'PAID'],
  'rectified when it was paid': ['settled', 'PAID'],
  RECTIFIED: ['settled', 'RECTIFIED'],
}

/**
 * The new status (`same`: unchanged) with the events in order, or the code of the refusal. Exceptions within a
 * group are listed by state.
 */
type Row = Record<Group, string> & Partial<Record<ScenarioState, string>>
const all = (outcome: string): Record<Group, string> => ({
  notIssued: outcome,
  owing: outcome,
  waits: outcome,
  atWork: outcome,
  settled: outcome,
})
const [invalid, busy, paid] = ['INVOICE_STATE_INVALID', 'INVOICE_PAYMENT_IN_PROGRESS', 'INVOICE_ALREADY_PAID']
const [hasMoney, rectified, charging] = ['INVOICE_HAS_MONEY', 'INVOICE_RECTIFIED', 'CHARGE_IN_PROGRESS']
const draftOnly = (outcome: string): Row => ({ ...all('INVOICE_NOT_DRAFT'), DRAFT: outcome })
const stays: Row = { ...all('same'), notIssued: invalid }
const registered: Row = {
  notIssued: invalid,
  owing: 'PAID INVOICE_PAID',
  waits: 'PAID CHARGE_FAILED INVOICE_PAID',
  atWork: busy,
  settled: paid,
  RECTIFIED: rectified,
}
const sent: Row = {
  ...all('SENT INVOICE_SENT'),
  notIssued: invalid,
  settled: 'same INVOICE_SENT',
  PARTIALLY_PAID: 'same INVOICE_SENT',
  'PAID in part by card': 'same INVOICE_SENT',
}
const charged: Row = {
  notIssued: invalid,
  owing: 'PAID CHARGE_STARTED CHARGE_SUCCEEDED',
  atWork: charging,
  settled: paid,
  // their card needs authentication
  RECTIFIED: rectified,
  'charge FAILED': 'same CHARGE_STARTED CHARGE_REQUIRES_ACTION',
  waits: 'same CHARGE_FAILED CHARGE_STARTED CHARGE_REQUIRES_ACTION',
}
const refunded: Row = {
  ...all('REFUND_NOT_ALLOWED'),
  'PAID by card': 'same INVOICE_REFUNDED',
  'PAID in part by card': 'same INVOICE_REFUNDED',
  'refunded in part': 'same INVOICE_REFUNDED',
}
const opens: Row = { ...all('same'), notIssued: 'PAYMENT_LINK_NOT_VALID' }
const current: Row = { ...all('same'), notIssued: 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE' }
const outcomes: Record<string, Row> = {
  issueInvoice: draftOnly('ISSUED INVOICE_ISSUED'),
  updateInvoice: draftOnly('DRAFT'),
  removeInvoice: draftOnly('gone'),
  'updateInvoice in its internal notes': all('same'),
  'issueInvoice of what rectifies it': {
    notIssued: invalid,
    owing: 'RECTIFIED INVOICE_RECTIFIED',
    waits: 'RECTIFIED CHARGE_FAILED INVOICE_RECTIFIED',
    atWork: busy,
    settled: 'PAID INVOICE_RECTIFIED',
    PARTIALLY_PAID: 'PAID INVOICE_RECTIFIED',
    'PAID in part by card': 'PAID INVOICE_RECTIFIED',
    'rectified in part': 'RECTIFIED_TOO_MUCH',
    'rectified when it was paid': 'RECTIFIED_TOO_MUCH',
    RECTIFIED: 'RECTIFIED_TOO_MUCH',
  },
  linkInvoiceToBudget: { ...all('same'), VOIDED: invalid },
  unlinkInvoiceFromBudget: { ...all('same'), VOIDED: invalid },
  rectifyInvoice: stays,
  voidInvoice: {
    notIssued: invalid,
    owing: 'VOIDED INVOICE_VOIDED',
    waits: 'VOIDED CHARGE_FAILED INVOICE_VOIDED',
    atWork: busy,
    settled: hasMoney,
    PARTIALLY_PAID: hasMoney,
    'PAID in part by card': hasMoney,
    refunded: 'VOIDED INVOICE_VOIDED',
    'rectified in part': rectified,
    'rectified when it was paid': rectified,
    RECTIFIED: rectified,
  },
  reversePayment: {
    ...all('PAYMENT_NOT_FOUND'),
    settled: 'PAYMENT_NOT_REVERSIBLE',
    'PAID in part by card': 'PAYMENT_NOT_REVERSIBLE',
    PARTIALLY_PAID: 'ISSUED INVOICE_PAYMENT_REVERSED',
    PAID: 'ISSUED INVOICE_PAYMENT_REVERSED',
    'rectified when it was paid': 'RECTIFIED INVOICE_PAYMENT_REVERSED',
    RECTIFIED: 'PAYMENT_NOT_FOUND',
  },
  markInvoicePaid: registered,
  registerPayment: registered,
  'markInvoicePaid in part': {
    ...registered,
    owing: 'PARTIALLY_PAID INVOICE_PARTIALLY_PAID',
    waits: 'PARTIALLY_PAID CHARGE_FAILED INVOICE_PARTIALLY_PAID',
  },
  sendInvoice: sent,
  sendInvoiceByHand: sent,
  issuePublicLink: stays,
  makePublicLink: stays,
  readPublicLink: current,
  showPublicLink: current,
  revokeInvoiceLink: { ...all('same'), DRAFT: 'INVOICE_PUBLIC_LINK_NOT_AVAILABLE' },
  pauseInvoiceReminders: all('same'),
  chargeInvoice: charged,
  chargeInvoiceByHand: charged,
  payInvoice: {
    notIssued: invalid,
    owing: 'same',
    waits: 'same',
    atWork: charging,
    settled: paid,
    RECTIFIED: rectified,
  },
  refundInvoice: refunded,
  'refundInvoice in part': refunded,
  refundInvoiceByHand: refunded,
  openPayPage: opens,
  openPayDocument: opens,
  payByLink: {
    notIssued: 'PAYMENT_LINK_NOT_VALID',
    owing: 'PAID INVOICE_PAID',
    waits: 'PAID INVOICE_PAID',
    atWork: charging,
    settled: paid,
    RECTIFIED: rectified,
  },
  answerByLink: {
    notIssued: 'PAYMENT_LINK_NOT_VALID',
    owing: 'same',
    waits: 'same',
    atWork: charging,
    settled: paid,
    RECTIFIED: rectified,
  },
}
function outcomeIn(act: string, state: ScenarioState): string {
  return String(outcomes[act]?.[state] ?? outcomes[act]?.[groups[state][0]])
}
function expected(act: string, state: ScenarioState): string {
  return outcomeIn(act, state).replace('same', groups[state][1])
}

test('every operation that changes an invoice, or opens it to its payer, is covered', async () => {
  const promised = (await contractConsts()).filter(
    ({ file, contract: { method, path } }) =>
      file.startsWith('contract/billing/') &&
      (path.startsWith('/p/:token') ||
        path.endsWith('/public-link') ||
        (/^\/invoices\/:id\b/.test(path) && method !== 'GET' && !path.endsWith('/pdf-address'))),
  )
  const names = new Set(Object.keys(acts).map(act => act.split(' ')[0]))
  expect([...names].sort()).toEqual(promised.map(({ name }) => name).sort())
})

/** The result of an operation: see Row. A refusal has its status and changes nothing. */
async function outcomeOf(
  answer: Answer,
  it: ScenarioInvoice,
  news: string[],
  isAsItWas: boolean,
): Promise<string> {
  const { errorCode } = (answer.body ?? {}) as { errorCode?: keyof typeof errors }
  if (errorCode !== undefined) {
    const status = answer.status === errors[errorCode].status ? '' : ` with ${answer.status}`
    return `${errorCode}${status}${isAsItWas && news.length === 0 ? '' : ', and is changed'}`
  }
  if (answer.status >= 300) return `${answer.status}`
  const read = await cast.owner.send(invoices.readInvoice, on(it))
  return [read.status === 404 ? 'gone' : read.body.status, ...news].join(' ')
}

/** An invoice that a refusal left unchanged is reused for the next operation. */
const left = new Map<ScenarioState, ScenarioInvoice>()

// npm test performs each operation in one state of each outcome
test.each(Object.keys(acts).map((act, turn) => ({ act, turn })))('$act', async ({ act, turn }) => {
  const states = oneOfEach(scenarioStates, { kindOf: state => outcomeIn(act, state), turn })
  const all: ScenarioInvoice[] = []
  for (const state of states) {
    all.push(left.get(state) ?? (await invoiceInState(cast, state)))
    left.delete(state)
  }
  const ids = all.map(({ id }) => id)
  const look = async () => ({
    events: await eventNames(cast, ids),
    stored: await Promise.all(ids.map(id => storedState(cast, id))),
  })
  const before = await look()
  await server.sql('delete from rate_window')
  // as many simultaneously as a process answers without queueing
  const answers: Answer[] = []
  for (let n = 0; n < all.length; n += 5)
    answers.push(...(await Promise.all(all.slice(n, n + 5).map(defined(acts[act])))))
  const after = await look()
  const found = states.map(async (state, n) => {
    const it = itemAt(all, n)
    const isAsItWas = isDeepStrictEqual(before.stored[n], after.stored[n])
    if (isAsItWas) left.set(state, it)
    const news = defined(after.events.get(it.id)).slice(defined(before.events.get(it.id)).length)
    return [state, await outcomeOf(itemAt(answers, n), it, news, isAsItWas)]
  })
  expect(Object.fromEntries(await Promise.all(found))).toEqual(
    Object.fromEntries(states.map(state => [state, expected(act, state)])),
  )
})
