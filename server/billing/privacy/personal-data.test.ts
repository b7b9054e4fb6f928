import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cancelMandate,
  cancelRemittance,
  createMandate,
  createRemittance,
  listMandates,
  openRemittance,
  sendRemittance,
  updateCreditor,
} from '#contract/billing/direct-debits.ts'
import { exportPersonalData } from '#contract/crm/team.ts'
import type { Input } from '#contract/operation.ts'
import { plantInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import { convert, eraseLeadOf, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { findIn, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
let shop: TestApplication
const iban = 'DE89370400440532013000'
const collectionDate = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, {})
  await plantIssuer(server, organization.id)
  await owner.call(updateCreditor, {
    body: {
      name: 'Talleres Patio SL',
      identifier: 'ES50ZZZM23456789',
      iban: 'ES9121000418450200051332',
      bic: null,
    },
  })
})
afterAll(() => server?.close())

/** A converted lead, and its client. */
async function converted(names: { firstName?: string; lastName?: string }) {
  const { id } = await makeLead(owner, names)
  const { clientId } = await convert(owner, id)
  return { id, clientId }
}
let count = 0
async function makeMandate(
  clientId: string,
  given: Partial<Input<typeof createMandate>['body']> = {},
): Promise<{ id: string; reference: string }> {
  return owner.call(createMandate, {
    body: {
      clientId,
      reference: `P-${++count}`,
      debtorName: 'Ada Lovelace',
      iban,
      bic: 'DEUTDEFF',
      scheme: 'CORE',
      kind: 'RCUR',
      signedOn: '2026-01-15',
      ...given,
    },
    headers: { 'Idempotency-Key': `mandate-${count}` },
  })
}
/** Prepares a remittance of an invoice of the client. It uses the newest active mandate. */
async function remit(clientId: string) {
  const { id: invoiceId } = await plantInvoice(server, shop, { clientId })
  return owner.call(createRemittance, { body: { collectionDate, invoiceIds: [invoiceId] } })
}
const read = async (clientId: string, id: string) =>
  findIn((await owner.call(listMandates, { query: { clientId } })).items, mandate => mandate.id === id)

test('a person gets a copy of the mandates in their name, with the whole account, and of no others', async () => {
  const { id, clientId } = await converted({ firstName: 'Ada', lastName: 'Lovelace' })
  const own = await makeMandate(clientId, { debtorName: 'LOVELACE KING, Ada', reference: 'Gym 7' })
  const cancelled = await makeMandate(clientId)
  await owner.call(cancelMandate, { params: { id: cancelled.id } })
  await makeMandate(clientId, { debtorName: 'Lovelace Engines SL' })
  const stranger = await converted({ firstName: 'Ada', lastName: 'Lovelace' })
  await makeMandate(stranger.clientId)
  const eraser = await organization.person({ permissions: ['CRM_ERASE'] })
  const { mandates } = await eraser.call(exportPersonalData, { params: { id } })
  expect(mandates).toMatchObject([
    { id: cancelled.id, status: 'CANCELLED' },
    {
      id: own.id,
      reference: 'Gym 7',
      clientId,
      debtorName: 'LOVELACE KING, Ada',
      iban,
      bic: 'DEUTDEFF',
      scheme: 'CORE',
      kind: 'RCUR',
      signedOn: '2026-01-15',
      status: 'ACTIVE',
      lastCollectedOn: null,
      cancelledAt: null,
    },
  ])
  expect(mandates).toHaveLength(2)
})

test('an erasure removes the account of mandates that were never used, and says which stay and why', async () => {
  const { id, clientId } = await converted({ firstName: 'Ada', lastName: 'Lovelace' })
  const other = await makeMandate(clientId, { debtorName: 'Lovelace Engines SL' })
  const used = await makeMandate(clientId)
  const sent = await remit(clientId)
  await owner.call(sendRemittance, { params: { id: sent.id } })
  await owner.call(cancelMandate, { params: { id: used.id } })
  const unsent = await makeMandate(clientId)
  const withdrawn = await remit(clientId)
  await owner.call(cancelRemittance, { params: { id: withdrawn.id } })
  const inUse = await makeMandate(clientId)
  const prepared = await remit(clientId)
  const unused = await makeMandate(clientId)

  const { mandates } = await eraseLeadOf(owner, id)
  expect(mandates.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    [
      { id: used.id, reference: used.reference, retainedBecause: 'USED' },
      { id: unsent.id, reference: unsent.reference, retainedBecause: null },
      { id: inUse.id, reference: inUse.reference, retainedBecause: 'IN_USE' },
      { id: unused.id, reference: unused.reference, retainedBecause: null },
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
  for (const gone of [unsent, unused]) {
    expect(await read(clientId, gone.id)).toMatchObject({
      reference: gone.id,
      debtorName: '',
      maskedIban: '',
      bic: null,
      status: 'CANCELLED',
      erasedAt: expect.any(String),
    })
    const row = only(
      await server.sql<{ text: string }>('select m::text as text from direct_debit_mandate m where id = $1', [
        gone.id,
      ]),
    )
    expect(row.text).not.toMatch(/lovelace|3000|DEUT|v1\./i)
    const replies = await server.sql('select reply from idempotency where subject = $1', [gone.id])
    expect(replies).toEqual([{ reply: null }])
  }
  const retained = { debtorName: 'Ada Lovelace', maskedIban: 'DE••••3000', erasedAt: null }
  expect(await read(clientId, used.id)).toMatchObject({ ...retained, status: 'CANCELLED' })
  expect(await read(clientId, inUse.id)).toMatchObject({ ...retained, status: 'ACTIVE' })
  expect((await read(clientId, other.id)).debtorName).toBe('Lovelace Engines SL')
  for (const remittance of [sent, prepared]) {
    const file = await owner.send(openRemittance, { params: { id: remittance.id } })
    expect(file.text).toContain(iban)
  }
  // the reference of an erased mandate is free again
  await makeMandate(clientId, { debtorName: 'Grace Hopper', reference: unused.reference })
  // the other mandate of the client still collects
  expect((await remit(clientId)).directDebits).toHaveLength(1)
})

test('a mandate is not erased while a remittance is prepared with it at the same moment', async () => {
  const { id, clientId } = await converted({ firstName: 'Ada', lastName: 'Lovelace' })
  const mandate = await makeMandate(clientId)
  const { id: invoiceId } = await plantInvoice(server, shop, { clientId })
  const [erased, prepared] = await Promise.all([
    eraseLeadOf(owner, id),
    owner.send(createRemittance, { body: { collectionDate, invoiceIds: [invoiceId] } }),
  ])
  const [{ retainedBecause }] = erased.mandates as [(typeof erased.mandates)[number]]
  if (prepared.status === 201) expect(retainedBecause).toBe('IN_USE')
  else expect([retainedBecause, refusalOf(prepared)]).toEqual([null, [409, 'MANDATE_REQUIRED']])
  expect((await read(clientId, mandate.id)).maskedIban).toBe(retainedBecause === null ? '' : 'DE••••3000')
})

test('a person with one known name has only the mandates with exactly this name', async () => {
  const { id, clientId } = await converted({ lastName: 'García' })
  await makeMandate(clientId, { debtorName: 'García Hermanos SL' })
  const own = await makeMandate(clientId, { debtorName: 'GARCIA' })
  const { mandates } = await owner.call(exportPersonalData, { params: { id } })
  expect(mandates.map(mandate => mandate.id)).toEqual([own.id])
})

test('a lead without a client has no mandates', async () => {
  const { id } = await makeLead(owner, { firstName: 'Ada', lastName: 'Lovelace' })
  expect((await owner.call(exportPersonalData, { params: { id } })).mandates).toEqual([])
  expect((await eraseLeadOf(owner, id)).mandates).toEqual([])
})
