import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as promised from '#contract/billing/tax-records.ts'
import { openTaxOffice, type TaxOffice } from '#platform/adapters/tax-office.ts'
import { type Database, openDatabase } from '#platform/data/database.ts'
import { makeInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import { openTestTaxOffice, type TestTaxOffice } from '#tests/support/billing/tax-office.ts'
import { turnOn } from '#tests/support/billing/tax-records.ts'
import { exactly, firstOf, only } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { insertCopies } from '#tests/support/rows.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { sendDueRecords } from './send-records.ts'

let office: TestTaxOffice
let taxOffice: TaxOffice
let database: Database
let server: TestServer
let owner: Person
beforeAll(async () => {
  office = await openTestTaxOffice()
  taxOffice = openTaxOffice(office.options)
  const taxRecords = { producerName: 'Patio SL', producerNif: 'B76543214', office: office.options }
  // without a worker: the tests send
  server = await startTestServer({ taxRecords }, { hasWorker: false })
  database = await openDatabase({
    url: server.config.databaseUrl,
    poolSize: 4,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 20_000,
    lockTimeoutMs: 20_000,
    idleInTransactionTimeoutMs: 20_000,
    applicationName: 'test',
    onPoolError: () => {},
  })
})
beforeEach(async () => {
  office.verdict = () => ({ state: 'Correcto' })
  office.waitSeconds = 60
  ;(office.received as unknown[]).length = 0
  await server.sql('update tax_record_chain set next_send_at = null')
  const organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
  await turnOn(owner, { mode: 'SEND' })
})
afterAll(async () => {
  await server?.close()
  await database?.close()
  await taxOffice?.close()
  await office?.close()
})

const send = () => sendDueRecords({ database, taxOffice })
const status = () => owner.call(promised.readTaxRecordStatus)
const make = async (count: number) => {
  const made: Awaited<ReturnType<typeof makeInvoice>>[] = []
  for (let at = 0; at < count; at++) made.push(await makeInvoice(owner))
  return made
}
const recordOf = async ({ id }: { id: string }) =>
  only((await owner.call(promised.listTaxRecords, { params: { id } })).items)
/** Lets the time that the office asked for pass. */
const waited = () =>
  server.sql(
    `update tax_record_chain set next_send_at = now() - interval '1 second', wait_until = now() - interval '1 second'
     where organization_id = $1 and next_send_at is not null`,
    [owner.organizationId],
  )
const waitSeconds = async () => {
  const row = only(
    await server.sql<{ seconds: number | null }>(
      `select round(extract(epoch from next_send_at - last_attempt_at))::integer as seconds
     from tax_record_chain where organization_id = $1`,
      [owner.organizationId],
    ),
  )
  return row.seconds
}
const references = () => office.received.map(message => message.references)

test('records are sent in their order with the client certificate, and the answers are stored', async () => {
  const [good, odd, bad] = exactly(3, await make(3))
  office.verdict = reference => {
    if (reference.endsWith('-2')) return { state: 'AceptadoConErrores', code: '2004', text: 'La hora.' }
    if (reference.endsWith('-3')) return { state: 'Incorrecto', code: '1109', text: 'El NIF no está.' }
    return { state: 'Correcto' }
  }
  expect(await send()).toBe(true)
  expect(references()).toEqual([['B76543214-1', 'B76543214-2', 'B76543214-3']])
  expect(office.received[0]).toMatchObject({ client: 'client of the tax office test', isLate: false })
  expect(await recordOf(good)).toMatchObject({ state: 'ACCEPTED', errorCode: null, csv: 'A-TEST-CSV' })
  expect(await recordOf(odd)).toMatchObject({ state: 'ACCEPTED_WITH_ERRORS', errorCode: '2004' })
  expect(await recordOf(bad)).toMatchObject({ state: 'REJECTED', errorText: 'El NIF no está.' })
  expect(await status()).toMatchObject({
    pendingCount: 0,
    acceptedCount: 1,
    acceptedWithErrorsCount: 1,
    rejectedCount: 1,
    lastFailure: null,
    nextSendAt: null,
    problems: [{ errorCode: '1109' }, { errorCode: '2004' }],
  })
  // an answer does not change what the hash covers
  expect(await owner.call(promised.checkTaxRecords)).toMatchObject({ holds: true, checked: 3 })
  expect(await send()).toBe(false)
})

test('nothing is sent before the time that the office asked for', async () => {
  office.waitSeconds = 90
  await make(1)
  await send()
  await make(2)
  expect(await send()).toBe(false)
  expect(await waitSeconds()).toBe(90)
  await waited()
  expect(await send()).toBe(true)
  expect(await status()).toMatchObject({ lastFailure: null, acceptedCount: 3 })
  expect(references()).toEqual([['B76543214-1'], ['B76543214-2', 'B76543214-3']])
})

test('a message has at most a thousand records', async () => {
  const invoice = only(await make(1))
  await insertCopies(server, 'tax_record', { invoice_id: invoice.id }, 1_002, (n, record) => ({
    number: n + 1,
    previous_invoice_number: record.invoice_number,
    previous_issue_date: record.issue_date,
    previous_hash: record.hash,
  }))
  await server.sql('update tax_record_chain set last_number = 1003 where organization_id = $1', [
    owner.organizationId,
  ])
  await send()
  await waited()
  await send()
  expect(references().map(({ length }) => length)).toEqual([1_000, 3])
  expect((await status()).acceptedCount).toBe(1_003)
})

test('a failure is stored, and the same records are sent again after a growing pause', async () => {
  const invoice = only(await make(1))
  const pauses: (number | null)[] = []
  for (const disturbance of [
    '<html>',
    '',
    '<Envelope><Body><Fault><faultstring>Codigo[103]</faultstring></Fault></Body></Envelope>',
  ]) {
    office.interfere = () => disturbance
    await send()
    pauses.push(await waitSeconds())
    expect(await recordOf(invoice)).toMatchObject({ state: 'PENDING' })
    await waited()
  }
  expect(pauses).toEqual([60, 120, 240])
  expect((await status()).lastFailure).toBe('Codigo[103]')
  await send()
  expect(await status()).toMatchObject({ lastFailure: null, acceptedCount: 1 })
  expect(new Set(references().flat())).toEqual(new Set(['B76543214-1']))
})

test('a lost answer is no rejection: the office has the record already', async () => {
  const [invoice, foreign] = exactly(2, await make(2))
  office.verdict = () => ({ state: 'Incorrecto', code: '3000', text: 'Duplicado', duplicate: 'Correcta' })
  // the first transmission: these numbers were registered by somebody else
  await send()
  expect(await recordOf(foreign)).toMatchObject({ state: 'REJECTED', errorCode: '3000' })
  expect(await recordOf(invoice)).toMatchObject({ state: 'REJECTED' })
  const next = only(await make(1))
  await waited()
  office.interfere = () => 'lost'
  await send()
  await waited()
  await send()
  expect(await recordOf(next)).toMatchObject({ state: 'ACCEPTED', errorCode: null })
})

test('records without an answer are sent again, after those with one', async () => {
  const invoices = await make(3)
  office.verdict = reference => (reference.endsWith('-2') ? undefined : { state: 'Correcto' })
  await send()
  expect((await status()).lastFailure).toBe('The answer does not contain all records')
  expect(await Promise.all(invoices.map(async invoice => (await recordOf(invoice)).state))).toEqual([
    'ACCEPTED',
    'PENDING',
    'PENDING',
  ])
  office.verdict = () => ({ state: 'Correcto' })
  await waited()
  await send()
  expect(references()[1]).toEqual(['B76543214-2', 'B76543214-3'])
  expect(await status()).toMatchObject({ acceptedCount: 3, pendingCount: 0 })
})

test('two processes never send the same chain at once, and a lost lease stores nothing', async () => {
  await make(2)
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  office.interfere = async () => {
    arrive()
    await released
    return undefined
  }
  const first = send()
  await arrived
  expect(await send()).toBe(false)
  // the first process hangs until its lease ends, and another one sends
  await waited()
  office.verdict = () => ({ state: 'Incorrecto', code: '3000', duplicate: 'Correcta' })
  expect(await send()).toBe(true)
  expect(await status()).toMatchObject({ acceptedCount: 2 })
  release()
  await first
  expect(await status()).toMatchObject({ acceptedCount: 2, rejectedCount: 0, pendingCount: 0 })
})

test('old records say that a failure delayed them', async () => {
  await make(1)
  await server.sql(
    `update tax_record set generation_time = '2026-01-01T10:00:00+01:00' where organization_id = $1`,
    [owner.organizationId],
  )
  await send()
  expect(firstOf(office.received).isLate).toBe(true)
})

test('nothing is sent after sending was turned off, also while a message is under way', async () => {
  await make(1)
  office.interfere = async () => {
    await turnOn(owner, { mode: 'OFF' })
    await make(1)
    return undefined
  }
  await send()
  expect(await status()).toMatchObject({ mode: 'KEEP', acceptedCount: 1, pendingCount: 1, nextSendAt: null })
  expect(await send()).toBe(false)
  await turnOn(owner, { mode: 'SEND' })
  await waited()
  await send()
  expect(await status()).toMatchObject({ acceptedCount: 2, pendingCount: 0 })
})

test('a client without the certificate is refused', async () => {
  const stranger = openTaxOffice({ ...office.options, certificate: Buffer.alloc(0), passphrase: '' })
  await expect(stranger.post('<a/>')).rejects.toThrow()
  await stranger.close()
})

test('a worker sends the records of invoices as they are issued', async () => {
  const taxRecords = { producerName: 'Patio SL', producerNif: 'B76543214', office: office.options }
  const other = await startTestServer({ taxRecords })
  try {
    const organization = await other.organization()
    const issuer = await organization.person({ role: 'OWNER' })
    await plantIssuer(other, organization.id)
    await turnOn(issuer, { mode: 'SEND' })
    const { id } = await makeInvoice(issuer)
    await until('the office has accepted the record', async () => {
      const { items } = await issuer.call(promised.listTaxRecords, { params: { id } })
      return only(items).state === 'ACCEPTED'
    })
  } finally {
    await other.close()
  }
})
