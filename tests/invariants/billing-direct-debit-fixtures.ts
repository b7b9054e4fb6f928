import {
  createMandate,
  createRemittance,
  sendRemittance,
  updateCreditor,
} from '#contract/billing/direct-debits.ts'
import { creditMessage } from '#tests/support/billing/bank-files.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { only } from '#tests/support/elements.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

const creditor = ({ mark }: Home) => ({
  name: `Creditor ${mark}`,
  identifier: 'ES50ZZZM23456789',
  iban: 'ES9121000418450200051332',
  bic: 'CAIXESBBXXX',
})
let count = 0
const mandate = (clientId: string, text: string) => ({
  clientId,
  reference: `${text} ${++count}`,
  debtorName: `Debtor ${text}`,
  iban: 'DE89370400440532013000',
  bic: 'DEUTDEFF',
  scheme: 'CORE' as const,
  kind: 'RCUR' as const,
  signedOn: '2026-01-15',
})
const day = () => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)

/** An invoice of a client with a mandate, and that mandate. */
async function collectable(home: Home) {
  const { owner, server, secret } = home
  await owner.call(updateCreditor, { body: creditor(home) })
  const clientId = (await makeClient(owner, { name: `Client ${secret}` })).id
  const { id: mandateId } = await owner.call(createMandate, { body: mandate(clientId, secret) })
  const { id: invoiceId } = await plantInvoice(server, await ownApplication(server, owner), { clientId })
  return { clientId, mandateId, invoiceId }
}
async function prepared(home: Home) {
  const { invoiceId, mandateId } = await collectable(home)
  const body = { collectionDate: day(), invoiceIds: [invoiceId] }
  const { id, directDebits } = await home.owner.call(createRemittance, { body })
  return { params: { id }, debitId: only(directDebits).id, mandateId }
}
async function sent(home: Home) {
  const { params, debitId } = await prepared(home)
  await home.owner.call(sendRemittance, { params })
  return debitId
}
const onRemittance: Fixture = async home => ({ params: (await prepared(home)).params })
const withFile: Fixture = async home => ({ body: { document: creditMessage([[await sent(home), 12_100]]) } })

/** Valid calls of the operations on direct debits; see fixtures.ts. */
export const billingDirectDebitFixtures: Record<string, Fixture> = {
  readCreditor: async home => {
    await collectable(home)
    return {}
  },
  updateCreditor: async home => ({ body: creditor(home) }),
  listMandates: async home => {
    const { clientId } = await collectable(home)
    return [{ query: { limit: 100, offset: 0 } }, { query: { clientId } }]
  },
  createMandate: async home => {
    const { clientId } = await collectable(home)
    return { body: mandate(clientId, home.mark) }
  },
  cancelMandate: async home => ({ params: { id: (await collectable(home)).mandateId } }),
  listCollectableInvoices: async home => {
    await collectable(home)
    return {}
  },
  listRemittances: async home => {
    await prepared(home)
    return { query: { limit: 100, offset: 0 } }
  },
  readRemittance: onRemittance,
  createRemittance: async home => ({
    body: { collectionDate: day(), invoiceIds: [(await collectable(home)).invoiceId] },
  }),
  openRemittance: onRemittance,
  sendRemittance: onRemittance,
  cancelRemittance: onRemittance,
  previewBankFile: withFile,
  importBankFile: withFile,
  recordDirectDebitResult: async home => ({
    params: { id: await sent(home) },
    body: { result: 'REJECTED', reasonCode: 'AM04' },
  }),
}
