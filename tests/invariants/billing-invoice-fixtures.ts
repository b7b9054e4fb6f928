import { putExternalUser } from '#contract/billing/external-users.ts'
import {
  createInvoice,
  makeInvoicePdfAddress,
  readInvoice,
  rectifyInvoice,
} from '#contract/billing/invoices.ts'
import { makePublicLink } from '#contract/billing/links.ts'
import { registerPayment } from '#contract/billing/payments.ts'
import { updateReminderSettings } from '#contract/billing/reminders.ts'
import { sendInvoiceByHand } from '#contract/billing/sending.ts'
import { eInvoiceFormats } from '#contract/billing/shapes.ts'
import { createInvoiceTemplate } from '#contract/billing/templates.ts'
import { addBillingContact } from '#contract/crm/clients.ts'
import { currentAccount } from '#tests/support/billing/charges.ts'
import { plantInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import { plantTaxRecord } from '#tests/support/billing/tax-records.ts'
import { plantSignedBudget } from '#tests/support/crm/budgets.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { only } from '#tests/support/elements.ts'
import type { Call } from './ask.ts'
import { addressQuery, offered } from './crm-budget-fixtures.ts'
import { customerOf, type Home, ownApplication } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

const userOf = ({ mark }: Home) => `user of ${mark}`
const place = (text: string) => ({
  taxId: `T-${text}`.slice(0, 40),
  address: `Road ${text}`,
  city: `Town ${text}`,
  // not part of the other texts
  postalCode: [...text].reverse().join('').slice(0, 12),
  country: 'ES',
})
const client = ({ owner, secret }: Home) =>
  makeClient(owner, { name: `Client ${secret}`, email: `${secret}@example.test`, ...place(secret) })

/** An invoice of the home's application, for its user. */
async function invoice(home: Home, lifecycle: 'DRAFT' | 'ISSUED' = 'ISSUED') {
  const { server, owner, organization } = home
  await plantIssuer(server, organization.id)
  const clientId = (await client(home)).id
  const application = await ownApplication(server, owner)
  const userId = userOf(home)
  const { id } = await plantInvoice(server, application, { userId, clientId, lifecycle })
  return { params: { id }, userId, clientId, applicationId: application.id }
}

/** An invoice that its client sees in the portal. */
async function inPortal(home: Home): Promise<Call> {
  const { clientId } = await customerOf(home)
  const { id } = await plantInvoice(home.server, await ownApplication(home.server, home.owner), { clientId })
  return { params: { id } }
}

/** A budget of the organization that counts as signed. */
async function signed({ server, owner, secret }: Home, clientId?: string): Promise<string> {
  const title = `Budget of ${secret}`
  return (await plantSignedBudget(server, owner, { title, clientId, ...offered(secret) })).id
}

const payments: Fixture = async home => {
  const { params } = await invoice(home)
  await home.owner.call(registerPayment, { params, body: paid(home) })
  return [
    { query: { page: 1, limit: 100 } },
    { query: { ...movements, method: 'TRANSFER', status: 'RECEIVED' } },
  ]
}
const movements = {
  page: 1,
  limit: 100,
  from: '2020-01-01T00:00:00.000Z',
  to: '2999-01-01T00:00:00.000Z',
  currency: 'eur',
  search: 'T2026',
}
const days = {
  issuedFrom: '2020-01-01',
  issuedTo: '2999-01-01',
  dueFrom: '2020-01-01',
  dueTo: '2999-12-31',
}

/** A draft of members. */
async function draft(home: Home) {
  const body = { clientId: (await client(home)).id, lines: lines(home.secret), notes: `For ${home.secret}` }
  return home.owner.call(createInvoice, { body })
}

async function user(home: Home, userId = userOf(home)) {
  const { id: applicationId } = await ownApplication(home.server, home.owner)
  const params = { applicationId, userId }
  const body = {
    clientId: (await client(home)).id,
    name: `Ada ${home.secret}`,
    email: `${home.secret}@example.test`,
  }
  await home.owner.call(putExternalUser, { params, body })
  return params
}

const lines = (text: string) => [
  {
    description: `Work for ${text}`,
    quantity: '2.5',
    unitPriceCents: 4_000,
    discountPercent: '10',
    taxes: [{ name: `IVA ${text}`, rate: '21' }],
  },
]
const terms = ({ mark }: Home) => ({
  lines: lines(mark),
  currency: 'eur',
  dueDate: '2099-12-31',
  isSubscription: true,
  notes: `Thanks from ${mark}`,
})
const paid = ({ mark }: Home) => ({
  method: 'TRANSFER',
  amount: 12.5,
  paidAt: '2026-01-02T03:04:05.000Z',
  reference: `Paid by ${mark}`,
})
const onInvoice: Fixture = async home => {
  const { params, userId } = await invoice(home)
  return { params, query: { userId } }
}

const withTaxRecord: Fixture = async home => {
  const { params } = await invoice(home)
  await plantTaxRecord(home.server, home.organization.id, params.id)
  return { params }
}

/** An invoice that can be sent, and its mail. */
async function toSend(home: Home) {
  const { owner, secret, mark } = home
  const { params, userId, clientId } = await invoice(home)
  const [to, cc] = [`accounts-${secret}@example.test`, `boss-${secret}@example.test`]
  for (const email of [to, cc])
    await owner.call(addBillingContact, { params: { id: clientId }, body: { name: 'Payer', email } })
  const letter = { to: [to], cc: [cc], message: `Here it is, ${mark}`, templateId: (await template(home)).id }
  return { params, userId, letter }
}

const remindersOf = ({ owner, secret }: Home) =>
  owner.call(updateReminderSettings, {
    body: { timeZone: 'UTC', hour: 9, rules: [{ days: -3, isOn: true, text: secret }] },
  })

const template = ({ owner, secret }: Home) =>
  owner.call(createInvoiceTemplate, { body: { name: secret, subject: secret, body: secret } })

/** Valid calls of the operations on invoices; see fixtures.ts. */
export const billingInvoiceFixtures: Record<string, Fixture> = {
  listPortalInvoices: async home => {
    await inPortal(home)
    return {}
  },
  openPortalInvoice: inPortal,
  openPortalEInvoice: async home => ({ ...(await inPortal(home)), query: { format: 'FACTURAE' } }),
  payPortalInvoice: async home => {
    await currentAccount(home.server, home.owner.organizationId)
    return inPortal(home)
  },
  readBillingSettings: async () => ({}),
  updateBillingSettings: async ({ mark }) => ({
    body: {
      invoiceSeries: 'FAC',
      rectifyingSeries: 'REC',
      paymentDays: 15,
      linkDays: 60,
      taxQrUrl: `https://tax.example/${mark}`,
      issuesRectifyingAtOnce: true,
    },
  }),
  readReminderSettings: async home => {
    await remindersOf(home)
    return {}
  },
  updateReminderSettings: async ({ mark }) => ({
    body: { timeZone: 'UTC', hour: 8, rules: [{ days: 7, isOn: true, text: `Reminder ${mark}` }] },
  }),
  previewReminder: async ({ mark }) => ({ body: { days: 7, text: `Reminder ${mark}` } }),
  listUpcomingReminders: async home => {
    await remindersOf(home)
    await invoice(home)
    return {}
  },
  readInvoiceReminders: async home => ({ params: (await invoice(home)).params }),
  pauseInvoiceReminders: async home => ({
    params: (await invoice(home)).params,
    body: { isPaused: true, isClientPaused: true },
  }),
  readTaxRecordStatus: async home => {
    const { params } = await invoice(home)
    await plantTaxRecord(home.server, home.organization.id, params.id)
    return {}
  },
  // off, because the invoices of the other calls have taxes that cannot be recorded
  updateTaxRecordOptions: async () => ({
    body: { mode: 'OFF', regime: '07', untaxedDomestic: 'E1', untaxedForeign: 'N2' },
  }),
  checkTaxRecords: async () => ({}),
  exportTaxRecords: async () => ({ query: { from: '2020-01-01', to: '2099-12-31' } }),
  listTaxRecords: withTaxRecord,
  openTaxRecords: withTaxRecord,
  listExternalUsers: async home => {
    const { applicationId } = await user(home)
    return { params: { applicationId }, query: { limit: 100, offset: 0 } }
  },
  readExternalUser: async home => ({ params: await user(home) }),
  // a user of its own: an unknown user is created
  putExternalUser: async home => ({
    params: { ...(await user(home)), userId: home.name('user') },
    body: { clientId: (await client(home)).id, name: home.name('User'), email: home.email() },
  }),
  eraseExternalUser: async home => ({ params: await user(home) }),
  createInvoice: async home => ({
    body: { clientId: (await client(home)).id, ...terms(home), internalNotes: `Mind ${home.mark}` },
  }),
  createInvoiceOfUser: async home => {
    await plantIssuer(home.server, home.organization.id)
    const common = { ...terms(home), issue: true, issueDate: new Date().toISOString().slice(0, 10) }
    const contact = { name: `Ada ${home.mark}`, company: home.name('Company'), email: home.email() }
    const { userId } = await user(home, 'known everywhere')
    return [
      { body: { userId, user: { ...contact, ...place(home.mark) }, ...common } },
      { body: { userId: home.name('user'), user: { name: 'Ada', ...place('elsewhere') }, ...common } },
    ]
  },
  listInvoices: async home => {
    const { clientId, applicationId, userId } = await invoice(home)
    const page = { page: 1, limit: 100 }
    const narrow = { status: 'ISSUED', clientId, applicationId, userId, overdue: true, search: 'T2026' }
    const { params } = await invoice(home)
    const others = { ...days, budgetId: await signed(home), unpaid: true, ids: [params.id] }
    return [
      { query: page },
      { query: { ...page, ...narrow } },
      { query: { ...page, ...others, orderBy: 'number', order: 'asc' } },
    ]
  },
  exportInvoices: async home => {
    const { clientId, applicationId, userId } = await invoice(home)
    const narrow = { status: 'ISSUED', clientId, applicationId, userId, overdue: true, search: 'T2026' }
    const others = { ...days, budgetId: await signed(home), unpaid: true, byteOrderMark: false }
    return [{}, { query: narrow }, { query: others }]
  },
  computeInvoiceFigures: async home => ({ body: { lines: lines(home.mark), isRectifying: true } }),
  linkInvoiceToBudget: async home => {
    const { params, clientId } = await invoice(home)
    return { params, body: { budgetId: await signed(home, clientId) } }
  },
  unlinkInvoiceFromBudget: onInvoice,
  createInvoiceOfBudget: async home => ({ params: { budgetId: await signed(home) } }),
  listUninvoicedBudgets: async home => {
    await signed(home)
    return { query: { limit: 100, offset: 0 } }
  },
  readBillingSummary: async home => {
    const { clientId } = await invoice(home)
    return [{}, { query: { clientId } }]
  },
  listAllPayments: payments,
  makeInvoicePdfAddress: async home => ({ params: (await invoice(home)).params }),
  openInvoicePdf: async home => {
    const { params } = await invoice(home)
    const { path } = await home.owner.call(makeInvoicePdfAddress, { params })
    return { params, query: addressQuery(path) }
  },
  readInvoice: onInvoice,
  readInvoicePdf: onInvoice,
  readEInvoice: async home => {
    const { params, userId } = await invoice(home)
    return eInvoiceFormats.map(format => ({ params, query: { userId, format } }))
  },
  updateInvoice: async home => {
    const { params: rectified } = await invoice(home)
    const reason = `Asked by ${home.secret}`
    const { id } = await home.owner.call(rectifyInvoice, { params: rectified, body: { reason } })
    const body = { ...terms(home), internalNotes: `Mind ${home.mark}` }
    return [
      { params: { id: (await draft(home)).id }, body: { clientId: (await client(home)).id, ...body } },
      { params: { id }, body: { rectifyingReason: `Asked by ${home.mark}` } },
    ]
  },
  removeInvoice: async home => ({ params: { id: (await draft(home)).id } }),
  issueInvoice: async home => {
    const { params, userId } = await invoice(home, 'DRAFT')
    return { params, body: { userId, issueDate: new Date().toISOString().slice(0, 10) } }
  },
  voidInvoice: async home => {
    const { params, userId } = await invoice(home)
    return { params, body: { userId } }
  },
  rectifyInvoice: async home => ({
    params: (await invoice(home)).params,
    body: { reason: `Asked by ${home.mark}`, lines: lines(home.mark) },
  }),
  markInvoicePaid: async home => {
    const { params, userId } = await invoice(home)
    return { params, body: { userId, ...paid(home) } }
  },
  reversePayment: async home => {
    const { params } = await invoice(home)
    await home.owner.call(registerPayment, { params, body: paid(home) })
    const { payments } = await home.owner.call(readInvoice, { params })
    const reason = `Not for ${home.secret}`
    return { params: { ...params, paymentId: only(payments).id }, body: { reason } }
  },
  registerPayment: async home => ({ params: (await invoice(home)).params, body: paid(home) }),
  sendInvoice: async home => {
    const { params, userId, letter } = await toSend(home)
    return { params, body: { userId, ...letter } }
  },
  sendInvoiceByHand: async home => {
    const { params, letter } = await toSend(home)
    return { params, body: letter }
  },
  listInvoiceDeliveries: async home => {
    const { params, letter } = await toSend(home)
    await home.owner.call(sendInvoiceByHand, { params, body: letter })
    return { params }
  },
  listInvoiceTemplates: async home => {
    await template(home)
    return {}
  },
  createInvoiceTemplate: async ({ mark }) => ({
    body: {
      name: `Template of ${mark}`,
      subject: `Invoice of ${mark}`,
      body: `Hello ${mark}`,
      isDefault: true,
    },
  }),
  readInvoiceTemplate: async home => ({ params: { templateId: (await template(home)).id } }),
  updateInvoiceTemplate: async home => ({
    params: { templateId: (await template(home)).id },
    body: {
      name: `Template of ${home.mark}`,
      subject: `Invoice of ${home.mark}`,
      body: `Hello ${home.mark}`,
      isDefault: true,
    },
  }),
  previewInvoiceTemplate: async home => ({
    body: {
      subject: `Invoice of ${home.mark}`,
      body: `Hello ${home.mark}`,
      // numbers differ from one invoice to the next
      invoiceId: (await draft(home)).id,
    },
  }),
  testInvoiceTemplate: async home => ({ params: { templateId: (await template(home)).id } }),
  removeInvoiceTemplate: async home => ({ params: { templateId: (await template(home)).id } }),
  readPublicLink: async home => {
    const { params, userId } = await invoice(home)
    await home.owner.call(makePublicLink, { params, body: {} })
    return { params, query: { userId } }
  },
  issuePublicLink: async home => {
    const { params, userId } = await invoice(home)
    return { params, body: { userId, expiresInDays: 7 } }
  },
  showPublicLink: async home => {
    const { params } = await invoice(home)
    await home.owner.call(makePublicLink, { params, body: {} })
    return { params }
  },
  makePublicLink: async home => ({ params: (await invoice(home)).params, body: { expiresInDays: 7 } }),
  listInvoiceLinks: async home => {
    const { params } = await invoice(home)
    await home.owner.call(makePublicLink, { params, body: {} })
    return { params }
  },
  revokeInvoiceLink: async home => {
    const { params } = await invoice(home)
    await home.owner.call(makePublicLink, { params, body: {} })
    const link = only(
      await home.server.sql<{ id: string }>('select id from invoice_link where invoice_id = $1', [params.id]),
    )
    return { params: { ...params, linkId: link.id } }
  },
}
