import { afterAll, beforeAll, expect, test } from 'vitest'
import { referencedObjects } from '#platform/data/stored-objects.ts'
import {
  type InvoiceScenario,
  invoiceInState,
  openInvoiceScenario,
  scenarioStates,
} from '#tests/support/billing/invoice-states.ts'
import { signedBudget } from '#tests/support/crm/signing.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { checkData } from './check-data.ts'

let server: TestServer
let scenario: InvoiceScenario
beforeAll(async () => {
  server = await startTestServer()
  scenario = await openInvoiceScenario(server)
  for (const state of scenarioStates) await invoiceInState(scenario, state)
  await signedBudget(server, scenario.owner)
  await server.relayed()
})
afterAll(() => server?.close())

async function faults({ without }: { without?: string } = {}): Promise<string[]> {
  const { database } = server.api.services
  const files = new Set(await referencedObjects(database))
  if (without !== undefined) files.delete(without)
  return (await checkData(database, files)).faults
}

/** Changes rows of a table that refuses changes. */
async function tamper(table: string, statement: string): Promise<void> {
  await server.sql(`alter table ${table} disable trigger user`)
  await server.sql(statement)
  await server.sql(`alter table ${table} enable trigger user`)
}

test('a healthy server has no fault, with invoices in every state', async () => {
  expect(await faults()).toEqual([])
})

test('the report counts what was checked', async () => {
  const { counts } = await checkData(server.api.services.database, new Set())
  const [audit] = await server.sql('select count(*)::int as n from audit')
  expect(counts).toEqual({ organizations: 1, 'audit entries': audit?.n, signatures: 1 })
})

test('a missing file is found', async () => {
  const [without] = await referencedObjects(server.api.services.database)
  expect(await faults({ without })).toEqual([`1 files are missing, the first one is ${without}.`])
})

test('an altered audit log is found', async () => {
  await server.sql(`update audit set operation = operation || 'X' where seq = 2`)
  expect(await faults()).toEqual([expect.stringContaining('is broken at entry 2')])
  await server.sql(`update audit set operation = left(operation, -1) where seq = 2`)
  expect(await faults()).toEqual([])
})

test('an altered signature is found', async () => {
  await tamper('budget_signature', `update budget_signature set signer_name = signer_name || 'X'`)
  expect(await faults()).toEqual([expect.stringContaining('are broken at position 1')])
  await tamper('budget_signature', `update budget_signature set signer_name = left(signer_name, -1)`)
  expect(await faults()).toEqual([])
})

test.each([
  ['ledger_entry', 'amount_cents', `kind = 'PAYMENT'`],
  ['ledger_entry', 'amount_cents', `kind = 'REFUND'`],
  ['payment', 'refunded_cents', 'refunded_cents > 0'],
  ['invoice', 'paid_cents', 'paid_cents > 0 and refunded_cents = 0'],
])('a changed amount of %s is found: %s where %s', async (table, column, where) => {
  const one = `id = (select id from ${table} where ${where} order by id limit 1)`
  await tamper(table, `update ${table} set ${column} = ${column} - 1 where ${one}`)
  expect(await faults()).toEqual([expect.stringContaining('payments and ledger differ')])
  await tamper(
    table,
    `update ${table} set ${column} = ${column} + 1 where id in (select id from ${table} where ${where} order by id limit 1)`,
  )
  expect(await faults()).toEqual([])
})
