import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chargeInvoiceByHand } from '#contract/billing/charges.ts'
import {
  cancelMandate,
  cancelRemittance,
  createMandate,
  createRemittance,
  importBankFile,
  listCollectableInvoices,
  listMandates,
  openRemittance,
  previewBankFile,
  readCreditor,
  readRemittance,
  recordDirectDebitResult,
  sendRemittance,
  updateCreditor,
} from '#contract/billing/direct-debits.ts'
import { issueInvoice, readInvoice, rectifyInvoice, voidInvoice } from '#contract/billing/invoices.ts'
import { listLedger } from '#contract/billing/ledger.ts'
import { registerPayment, reversePayment } from '#contract/billing/payments.ts'
import { readReconciliation } from '#contract/billing/reconciliation.ts'
import type { Input } from '#contract/operation.ts'
import { invoicesWithOtherLedger } from '#server/billing/ledger/ledger-check.sql.ts'
import { creditMessage, rejectionMessage, returnMessage } from '#tests/support/billing/bank-files.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { plantInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { defined, firstOf, itemAt, only } from '#tests/support/elements.ts'
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
const creditor = {
  name: 'Talleres Patio SL',
  identifier: 'ES50ZZZM23456789',
  iban: 'ES91 2100 0418 4502 0005 1332',
  bic: 'CAIXESBBXXX',
}
const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, { scopes: ['crm:invoices:write'] })
  await plantIssuer(server, organization.id)
  await plantAccount(server, organization.id)
  await owner.call(updateCreditor, { body: creditor })
})
beforeEach(() => server.sql('delete from rate_window'))
afterAll(() => server?.close())

let count = 0
async function makeMandate(given: Partial<Input<typeof createMandate>['body']> = {}) {
  const clientId = given.clientId ?? (await makeClient(owner, whereabouts)).id
  return owner.call(createMandate, {
    body: {
      clientId,
      reference: `M-${++count}`,
      debtorName: 'Ñandú & Söhne',
      iban: 'DE89 3704 0044 0532 0130 00',
      scheme: 'CORE',
      kind: 'RCUR',
      signedOn: '2026-01-15',
      ...given,
    },
  })
}
/** An invoice of a client with a mandate. */
async function collectable(given: Parameters<typeof makeMandate>[0] = {}) {
  const mandate = await makeMandate(given)
  const { id, number } = await plantInvoice(server, shop, { clientId: mandate.clientId })
  return { mandate, invoiceId: id, number: defined(number) }
}
async function remit(...invoiceIds: string[]) {
  const body = { collectionDate: inAWeek, invoiceIds }
  return owner.call(createRemittance, { body })
}
/** A remittance of one invoice that was sent. */
async function sent(given?: Parameters<typeof makeMandate>[0]) {
  const { invoiceId } = await collectable(given)
  const remittance = await remit(invoiceId)
  await owner.call(sendRemittance, { params: { id: remittance.id } })
  return { invoiceId, remittanceId: remittance.id, debitId: only(remittance.directDebits).id }
}
const read = (id: string) => owner.call(readInvoice, { params: { id } })
const stateOf = async (id: string) =>
  (await owner.call(readRemittance, { params: { id } })).directDebits.map(({ state }) => state)
const load = (document: string) => owner.call(importBankFile, { body: { document } })
const effectsOf = ({ entries }: { entries: { effect: string }[] }) => entries.map(({ effect }) => effect)
async function ledgerOf(invoiceId: string) {
  const { items } = await owner.call(listLedger, { query: { invoiceId } })
  return items.map(({ kind, amountCents }) => [kind, amountCents])
}
async function eventsOf(invoiceId: string) {
  await server.relayed()
  const rows = await server.sql<{ name: string; source: string }>(
    `select name, data ->> 'source' as source from event where data ->> 'invoiceId' = $1 order by seq`,
    [invoiceId],
  )
  return rows.map(({ name, source }) => [name, source])
}
const ledgerAgrees = async () =>
  expect(await invoicesWithOtherLedger(server.api.services.database.of(organization.id))).toEqual([])

describe('the creditor', () => {
  test('is set by a manager, with right check digits', async () => {
    const viewer = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT'] })
    expect(refusalOf(await viewer.send(updateCreditor, { body: creditor }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
    for (const wrong of [{ identifier: 'ES51ZZZM23456789' }, { iban: 'ES9021000418450200051332' }])
      expect(refusalOf(await owner.send(updateCreditor, { body: { ...creditor, ...wrong } }))[0]).toBe(400)
    expect(await viewer.call(readCreditor)).toEqual({
      creditor: { ...creditor, iban: 'ES9121000418450200051332' },
    })
  })

  test('is needed for a remittance', async () => {
    const other = await server.organization()
    const boss = await other.person({ role: 'OWNER' })
    expect(await boss.call(readCreditor)).toEqual({ creditor: null })
    const body = { collectionDate: inAWeek, invoiceIds: ['cinvoice'] }
    expect(refusalOf(await boss.send(createRemittance, { body }))).toEqual([409, 'CREDITOR_REQUIRED'])
  })

  test('and everything else needs the capability', async () => {
    const other = await server.organization({ plan: 'TEAM' })
    const boss = await other.person({ role: 'OWNER' })
    expect(refusalOf(await boss.send(listMandates))[0]).toBe(403)
  })
})

describe('a mandate', () => {
  test('is stored with an encrypted account and shown with a masked one', async () => {
    const mandate = await makeMandate()
    expect(mandate).toMatchObject({ maskedIban: 'DE••••3000', status: 'ACTIVE' })
    const row = only(
      await server.sql<{ iban: string }>('select iban from direct_debit_mandate where id = $1', [mandate.id]),
    )
    expect(row.iban).toMatch(/^v1\./)
    const { items } = await owner.call(listMandates, { query: { clientId: mandate.clientId } })
    expect(items).toEqual([mandate])
  })

  test('has a reference of its own, without regard to case', async () => {
    const { clientId } = await makeMandate({ reference: 'Gym 7' })
    const body = {
      clientId,
      reference: 'GYM 7',
      debtorName: 'Ada',
      iban: 'DE89370400440532013000',
      scheme: 'B2B',
      kind: 'OOFF',
      signedOn: '2026-01-15',
    } as const
    expect(refusalOf(await owner.send(createMandate, { body }))).toEqual([409, 'MANDATE_REFERENCE_TAKEN'])
    const future = { ...body, reference: 'GYM 8', signedOn: '2999-01-01' }
    expect(refusalOf(await owner.send(createMandate, { body: future }))[0]).toBe(400)
    expect(refusalOf(await owner.send(createMandate, { body: { ...body, reference: '/a' } }))[0]).toBe(400)
  })

  test('lapses after 36 months without a collection', async () => {
    const { mandate, invoiceId } = await collectable({ signedOn: '2020-01-15' })
    expect(mandate.status).toBe('LAPSED')
    const body = { collectionDate: inAWeek, invoiceIds: [invoiceId] }
    expect(refusalOf(await owner.send(createRemittance, { body }))).toEqual([409, 'MANDATE_REQUIRED'])
  })

  test('for one collection is used by it, and free again when the bank rejects it', async () => {
    const { mandate, invoiceId } = await collectable({ kind: 'OOFF' })
    const second = await plantInvoice(server, shop, { clientId: mandate.clientId })
    const both = { collectionDate: inAWeek, invoiceIds: [invoiceId, second.id] }
    expect(refusalOf(await owner.send(createRemittance, { body: both }))).toEqual([409, 'MANDATE_REQUIRED'])
    const { id, directDebits } = await remit(invoiceId)
    await owner.call(sendRemittance, { params: { id } })
    const ofClient = { query: { clientId: mandate.clientId } }
    expect(only((await owner.call(listMandates, ofClient)).items).status).toBe('USED')
    await load(rejectionMessage(id, [[only(directDebits).id, 'AM04']]))
    expect(only((await owner.call(listMandates, ofClient)).items).status).toBe('ACTIVE')
  })

  test('for one collection takes one invoice of its client, and the next older mandate takes the others', async () => {
    const { mandate, invoiceId } = await collectable()
    const { clientId } = mandate
    const single = await makeMandate({ clientId, kind: 'OOFF' })
    const others = await Promise.all([1, 2].map(() => plantInvoice(server, shop, { clientId })))
    const { directDebits } = await remit(invoiceId, ...others.map(({ id }) => id))
    const references = directDebits.map(debit => debit.mandateReference)
    expect(references.toSorted()).toEqual([mandate.reference, mandate.reference, single.reference].toSorted())
    // the invoices are taken in the order of their ids
    const first = firstOf(directDebits.toSorted((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1)))
    expect(first.mandateReference).toBe(single.reference)
  })

  test('is cancelled once, and not while a prepared remittance uses it', async () => {
    const { mandate, invoiceId } = await collectable()
    const { id } = await remit(invoiceId)
    const params = { id: mandate.id }
    expect(refusalOf(await owner.send(cancelMandate, { params }))).toEqual([409, 'MANDATE_IN_USE'])
    await owner.call(cancelRemittance, { params: { id } })
    const cancelled = await owner.call(cancelMandate, { params })
    expect(cancelled.status).toBe('CANCELLED')
    expect(await owner.call(cancelMandate, { params })).toEqual(cancelled)
    const unknown = await owner.send(cancelMandate, { params: { id: 'cunknown' } })
    expect(refusalOf(unknown)).toEqual([404, 'MANDATE_NOT_FOUND'])
  })
})

describe('a remittance', () => {
  test('blocks every other payment of its invoices until it is cancelled', async () => {
    const { invoiceId } = await collectable()
    const { items } = await owner.call(listCollectableInvoices)
    expect(items.map(item => item.invoiceId)).toContain(invoiceId)
    const { id } = await remit(invoiceId)
    expect((await owner.call(listCollectableInvoices)).items.map(item => item.invoiceId)).not.toContain(
      invoiceId,
    )
    const params = { id: invoiceId }
    const again = await owner.send(createRemittance, {
      body: { collectionDate: inAWeek, invoiceIds: [invoiceId] },
    })
    expect(refusalOf(again)).toEqual([409, 'CHARGE_IN_PROGRESS'])
    expect(refusalOf(await owner.send(chargeInvoiceByHand, { params, body: {} }))).toEqual([
      409,
      'CHARGE_IN_PROGRESS',
    ])
    for (const refused of [
      await owner.send(registerPayment, { params, body: { method: 'CASH' } }),
      await owner.send(voidInvoice, { params, body: {} }),
    ])
      expect(refusalOf(refused)).toEqual([409, 'INVOICE_PAYMENT_IN_PROGRESS'])
    await server.sql(
      `update charge_attempt set created_at = now() - interval '3 days' where invoice_id = $1`,
      [invoiceId],
    )
    expect((await owner.call(readReconciliation)).stuck).toEqual([])
    const cancelled = await owner.call(cancelRemittance, { params: { id } })
    expect([cancelled.state, only(cancelled.directDebits).state]).toEqual(['CANCELLED', 'CANCELLED'])
    expect(await owner.call(cancelRemittance, { params: { id } })).toEqual(cancelled)
    expect(refusalOf(await owner.send(sendRemittance, { params: { id } }))).toEqual([
      409,
      'REMITTANCE_STATE_INVALID',
    ])
    await owner.call(registerPayment, { params, body: { method: 'CASH' } })
    expect(await eventsOf(invoiceId)).toEqual([
      ['CHARGE_STARTED', 'bank'],
      ['CHARGE_FAILED', 'bank'],
      ['INVOICE_PAID', 'manual'],
    ])
  })

  test('is prepared once by simultaneous calls, and a repeated key gets the first answer', async () => {
    const { invoiceId } = await collectable()
    const body = { collectionDate: inAWeek, invoiceIds: [invoiceId] }
    const answers = await Promise.all([1, 2, 3, 4].map(() => owner.send(createRemittance, { body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    const other = await collectable()
    const headers = { 'Idempotency-Key': 'remit-once' }
    const call = { headers, body: { collectionDate: inAWeek, invoiceIds: [other.invoiceId] } }
    const twice = [await owner.send(createRemittance, call), await owner.send(createRemittance, call)]
    expect(twice.map(({ status }) => status)).toEqual([201, 201])
    expect(itemAt(twice, 1).body).toEqual(firstOf(twice).body)
  })

  test('is prepared for all of its invoices or for none', async () => {
    const { invoiceId } = await collectable()
    const { clientId } = await makeMandate()
    const dollars = await plantInvoice(server, shop, { clientId, currency: 'usd' })
    const draft = await plantInvoice(server, shop, { clientId, lifecycle: 'DRAFT' })
    const without = await plantInvoice(server, shop)
    const paid = await plantInvoice(server, shop, { clientId })
    const amount = { method: 'CASH', amount: 121 } as const
    await owner.call(registerPayment, { params: { id: paid.id }, body: amount })
    const rectified = await plantInvoice(server, shop, { clientId })
    const params = { id: rectified.id }
    const { id: rectifying } = await owner.call(rectifyInvoice, { params, body: { reason: 'Wrong' } })
    await owner.call(issueInvoice, { params: { id: rectifying }, body: {} })
    for (const [id, code] of [
      [paid.id, 'INVOICE_ALREADY_PAID'],
      [rectified.id, 'INVOICE_RECTIFIED'],
      [dollars.id, 'BILLING_CURRENCY_NOT_SUPPORTED'],
      [draft.id, 'INVOICE_STATE_INVALID'],
      [without.id, 'MANDATE_REQUIRED'],
      ['cunknown', 'INVOICE_NOT_ACCESSIBLE'],
    ] as const) {
      const body = { collectionDate: inAWeek, invoiceIds: [invoiceId, id] }
      expect(refusalOf(await owner.send(createRemittance, { body }))[1]).toBe(code)
    }
    for (const collectionDate of [new Date().toISOString().slice(0, 10), '2999-01-01'])
      expect(
        refusalOf(await owner.send(createRemittance, { body: { collectionDate, invoiceIds: [invoiceId] } })),
      ).toEqual([400, 'VALIDATION_ERROR'])
    expect((await remit(invoiceId)).totalCents).toBe(12_100)
  })

  test('is the same file each time, and none when it was cancelled', async () => {
    const [first, second] = [await collectable(), await collectable({ scheme: 'B2B', bic: 'DEUTDEFF' })]
    const { id, directDebits } = await remit(first.invoiceId, second.invoiceId)
    const file = () => owner.send(openRemittance, { params: { id } })
    const document = (await file()).text
    expect((await file()).text).toBe(document)
    for (const part of [
      'urn:iso:std:iso:20022:tech:xsd:pain.008.001.08',
      `<PmtInfId>${id}-B2B-RCUR</PmtInfId>`,
      `<PmtInfId>${id}-CORE-RCUR</PmtInfId>`,
      '<CtrlSum>242.00</CtrlSum>',
      '<InstdAmt Ccy="EUR">121.00</InstdAmt>',
      '<IBAN>DE89370400440532013000</IBAN>',
      '<Nm>Nandu Sohne</Nm>',
      '<BICFI>DEUTDEFF</BICFI>',
      '<Id>NOTPROVIDED</Id>',
      `<ReqdColltnDt>${inAWeek}</ReqdColltnDt>`,
      ...directDebits.map(debit => `<EndToEndId>${debit.id}</EndToEndId>`),
    ])
      expect(document).toContain(part)
    await owner.call(cancelRemittance, { params: { id } })
    expect(refusalOf(await file())).toEqual([409, 'REMITTANCE_STATE_INVALID'])
    expect(refusalOf(await owner.send(openRemittance, { params: { id: 'cunknown' } }))).toEqual([
      404,
      'REMITTANCE_NOT_FOUND',
    ])
  })

  test('that was sent cannot be cancelled', async () => {
    const { remittanceId: id } = await sent()
    expect(refusalOf(await owner.send(cancelRemittance, { params: { id } }))).toEqual([
      409,
      'REMITTANCE_STATE_INVALID',
    ])
  })
})

describe('a file of the bank', () => {
  test('collects, and a return takes it back; importing both again changes nothing', async () => {
    const { invoiceId, remittanceId, debitId } = await sent()
    const credit = creditMessage([[debitId, 12_100]])
    const returned = returnMessage([[debitId, 12_100, 'MD06']])
    expect(effectsOf(await owner.call(previewBankFile, { body: { document: credit } }))).toEqual([
      'COLLECTED',
    ])
    expect(await stateOf(remittanceId)).toEqual(['OPEN'])
    expect(await load(credit)).toMatchObject({
      format: 'camt.054',
      entries: [{ effect: 'COLLECTED', invoiceId, amountCents: 12_100 }],
    })
    expect((await read(invoiceId)).status).toBe('PAID')
    expect(effectsOf(await load(returned))).toEqual(['RETURNED'])
    expect(await read(invoiceId)).toMatchObject({ dueCents: 12_100, payments: [{ method: 'DIRECT_DEBIT' }] })
    for (const again of [credit, returned]) expect(effectsOf(await load(again))).toEqual(['UNCHANGED'])
    expect(await ledgerOf(invoiceId)).toEqual([
      ['PAYMENT', 12_100],
      ['PAYMENT_REVERSAL', -12_100],
    ])
    expect(await eventsOf(invoiceId)).toEqual([
      ['CHARGE_STARTED', 'bank'],
      ['CHARGE_SUCCEEDED', 'bank'],
      ['INVOICE_PAYMENT_REVERSED', 'bank'],
    ])
    await ledgerAgrees()
    // the debt can be collected again
    await remit(invoiceId)
  })

  test('collects once when it is imported simultaneously', async () => {
    const { invoiceId, debitId } = await sent()
    const document = creditMessage([[debitId, 12_100]])
    const reports = await Promise.all([1, 2, 3].map(() => load(document)))
    expect(reports.flatMap(effectsOf).sort()).toEqual(['COLLECTED', 'UNCHANGED', 'UNCHANGED'])
    expect(await ledgerOf(invoiceId)).toEqual([['PAYMENT', 12_100]])
  })

  test('may report a return before the collection', async () => {
    const { invoiceId, remittanceId, debitId } = await sent()
    await load(returnMessage([[debitId, 12_100, 'AM04']]))
    expect(effectsOf(await load(creditMessage([[debitId, 12_100]])))).toEqual(['UNCHANGED'])
    expect(await stateOf(remittanceId)).toEqual(['RETURNED'])
    expect(await ledgerOf(invoiceId)).toEqual([])
  })

  test('rejects, and money that arrives later is recorded anyway', async () => {
    const { invoiceId, remittanceId, debitId } = await sent()
    const rejected = rejectionMessage(remittanceId, [[debitId, 'AC04']])
    expect(await load(rejected)).toMatchObject({
      format: 'pain.002',
      entries: [{ effect: 'REJECTED', reasonCode: 'AC04' }],
    })
    expect((await read(invoiceId)).dueCents).toBe(12_100)
    expect(effectsOf(await load(creditMessage([[debitId, 12_100]])))).toEqual(['COLLECTED'])
    expect(effectsOf(await load(rejected))).toEqual(['UNCHANGED'])
    expect((await read(invoiceId)).status).toBe('PAID')
    await ledgerAgrees()
  })

  test('rejects a whole message and collects a whole group', async () => {
    const [first, second] = [await collectable(), await collectable()]
    const { id } = await remit(first.invoiceId, second.invoiceId)
    expect(effectsOf(await load(creditMessage([], { group: `${id}-CORE-RCUR`, cents: 24_100 })))).toEqual([
      'AMOUNT_DIFFERS',
      'AMOUNT_DIFFERS',
    ])
    expect(effectsOf(await load(creditMessage([], { group: `${id}-CORE-RCUR`, cents: 24_200 })))).toEqual([
      'COLLECTED',
      'COLLECTED',
    ])
    // the bank has the file, so it was sent
    expect((await owner.call(readRemittance, { params: { id } })).state).toBe('SENT')
    const other = await sent()
    expect(effectsOf(await load(rejectionMessage(other.remittanceId, [])))).toEqual(['REJECTED'])
    expect(await stateOf(other.remittanceId)).toEqual(['REJECTED'])
  })

  test('lists what it does not record', async () => {
    const { remittanceId, debitId } = await sent()
    const { entries } = await load(
      creditMessage([
        ['NOTPROVIDED', 500],
        [debitId, 12_000],
      ]),
    )
    expect(entries).toMatchObject([
      { reference: 'NOTPROVIDED', effect: 'UNKNOWN', amountCents: 500 },
      { reference: debitId, effect: 'AMOUNT_DIFFERS' },
    ])
    expect(effectsOf(await load(creditMessage([[debitId, 12_100]], { status: 'PDNG' })))).toEqual(['PENDING'])
    expect(await stateOf(remittanceId)).toEqual(['OPEN'])
    const other = await (await server.organization()).person({ role: 'OWNER' })
    const foreign = await other.call(importBankFile, {
      body: { document: creditMessage([[debitId, 12_100]]) },
    })
    expect(effectsOf(foreign)).toEqual(['UNKNOWN'])
  })

  test('after a person reversed its payment, a return changes no money', async () => {
    const { invoiceId, debitId } = await sent()
    await load(creditMessage([[debitId, 12_100]]))
    const payment = only((await read(invoiceId)).payments)
    await owner.call(reversePayment, {
      params: { id: invoiceId, paymentId: payment.id },
      body: { reason: 'The debtor objects' },
    })
    expect(effectsOf(await load(returnMessage([[debitId, 12_100, 'MD01']])))).toEqual(['RETURNED'])
    expect(await ledgerOf(invoiceId)).toHaveLength(2)
    await ledgerAgrees()
  })

  test.each([
    ['no XML', 'MsgId;1'],
    ['another document', '<Document><FIToFICstmrCdtTrf/></Document>'],
    ['a document type', creditMessage([['R1', 100]]).replace('<Document', '<!DOCTYPE a><Document')],
    [
      'too many levels',
      creditMessage([['R1', 100]]).replace('</Ntfctn>', `${'<a>'.repeat(40)}${'</a>'.repeat(40)}</Ntfctn>`),
    ],
    ['too many entries', creditMessage(Array.from({ length: 1_001 }, (_, n) => [`R${n}`, 100]))],
  ])('with %s is refused', async (_, document) => {
    expect(refusalOf(await owner.send(importBankFile, { body: { document } }))).toEqual([
      422,
      'BANK_FILE_NOT_READABLE',
    ])
  })
})

test('a result is recorded by hand for a remittance that was sent', async () => {
  const { invoiceId } = await collectable()
  const { id, directDebits } = await remit(invoiceId)
  const params = { id: only(directDebits).id }
  const body = { result: 'REJECTED', reasonCode: 'AM04' } as const
  expect(refusalOf(await owner.send(recordDirectDebitResult, { params, body }))).toEqual([
    409,
    'REMITTANCE_STATE_INVALID',
  ])
  await owner.call(sendRemittance, { params: { id } })
  expect(await owner.call(recordDirectDebitResult, { params, body })).toMatchObject({
    state: 'REJECTED',
    reasonCode: 'AM04',
  })
  const unknown = await owner.send(recordDirectDebitResult, { params: { id: 'cunknown' }, body })
  expect(refusalOf(unknown)).toEqual([404, 'DIRECT_DEBIT_NOT_FOUND'])
})
