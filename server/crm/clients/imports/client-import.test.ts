import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  cancelClientImport,
  importClients,
  listClientImports,
  readClientImport,
} from '#contract/crm/client-imports.ts'
import { createClient, listBillingContacts, listClients } from '#contract/crm/clients.ts'
import type { CsvImportDryRun, CsvImportReport } from '#contract/crm/csv-imports.ts'
import { limits } from '#contract/limits.ts'
import { exactly, itemAt, only } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { deleteOldImports } from '../../imports/import-jobs.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer({ statementTimeoutMs: 20_000 })
})
afterAll(() => server?.close())
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})

function send(
  file: string,
  { dryRun, mapping, by = owner }: { dryRun?: string; mapping?: object; by?: Person } = {},
) {
  const form = new FormData()
  if (dryRun !== undefined) form.append('dryRun', dryRun)
  if (mapping !== undefined) form.append('mapping', JSON.stringify(mapping))
  form.append('file', new Blob([file]), 'clients.csv')
  return by.send(importClients, { form })
}
async function imported(file: string): Promise<CsvImportReport> {
  const { status, body, text } = await send(file)
  if (status !== 202 || !('id' in body)) throw new Error(text)
  for (;;) {
    const report = await owner.call(readClientImport, { params: { id: body.id } })
    if (report.status !== 'RUNNING') return report
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
async function dryRun(file: string): Promise<CsvImportDryRun> {
  const { status, body, text } = await send(file, { dryRun: 'true' })
  if (status !== 200 || !('encoding' in body)) throw new Error(text)
  return body
}
const clients = async () => (await owner.call(listClients, { query: {} })).items

test('creates a client from each line with its tax data and its billing contact', async () => {
  const file =
    'Razón social;NIF;Correo;Teléfono;Dirección;Población;Código postal;País;Contacto de facturación;Correo de facturación\r\n' +
    'Ánimas, S.L.;B-1234;office@animas.test;600 123 456;Calle Mayor 1;Cádiz;11001;España;Ana Ruiz;ana@animas.test\r\n' +
    'Müller;;;;;;;germany;;billing@mueller.test\r\n' +
    'Nadie;;;;;;;fr;;\r\n'
  expect(await imported(file)).toMatchObject({ status: 'DONE', total: 3, created: 3, refused: 0, lines: [] })
  const [first, second, third] = exactly(3, await clients())
  expect(first).toMatchObject({
    name: 'Ánimas, S.L.',
    taxId: 'B-1234',
    email: 'office@animas.test',
    phone: '600 123 456',
    address: 'Calle Mayor 1',
    city: 'Cádiz',
    postalCode: '11001',
    country: 'ES',
  })
  expect([second.country, third.country]).toEqual(['DE', 'FR'])
  const contactsOf = async (id: string) =>
    (await owner.call(listBillingContacts, { params: { id } })).items.map(({ name, email, isMain }) => ({
      name,
      email,
      isMain,
    }))
  expect(await contactsOf(first.id)).toEqual([{ name: 'Ana Ruiz', email: 'ana@animas.test', isMain: true }])
  expect(await contactsOf(second.id)).toEqual([
    { name: 'Müller', email: 'billing@mueller.test', isMain: true },
  ])
  expect(await contactsOf(third.id)).toEqual([])

  await server.relayed()
  const events = await server.sql('select name, data from event where organization_id = $1 order by seq', [
    organization.id,
  ])
  const ids = [first.id, second.id, third.id]
  expect(events.map(({ name }) => name)).toEqual([
    'client-import.moved',
    'client.changed',
    'client-import.moved',
  ])
  expect(new Set((itemAt(events, 1).data as { createdIds: string[] }).createdIds)).toEqual(new Set(ids))
  const audit = await server.sql(
    'select operation, detail from audit where organization_id = $1 order by seq',
    [organization.id],
  )
  expect(audit).toEqual([
    { operation: 'POST /api/crm/clients/import', detail: { lines: 3 } },
    { operation: 'POST /api/crm/clients/import', detail: { clients: expect.arrayContaining(ids) } },
  ])
})

test('refuses lines that break the rules, and names the columns', async () => {
  const file =
    'name,email,country,billingContactName,billingContactEmail\n' +
    ',a@b.test,ES,,\n' +
    'Ada,nobody,Atlantis,,\n' +
    'Bea,,,Ana,\n' +
    `${'x'.repeat(limits.clientName + 1)},,,,\n` +
    'Cid,,,,cid\n'
  const { created, refused, lines } = await imported(file)
  expect([created, refused]).toEqual([0, 5])
  expect(lines.map(({ line, errors }) => [line, errors.map(({ column }) => column)])).toEqual([
    [2, ['name']],
    [3, ['email', 'country']],
    [4, ['billingContactEmail']],
    [5, ['name']],
    [6, ['billingContactEmail']],
  ])
  expect(await clients()).toEqual([])
})

test('a file that is imported again creates no client twice, and a dry run says so', async () => {
  await owner.call(createClient, { body: { name: 'Ánimas', taxId: 'b1' } })
  const file =
    'name,taxId,email\n' +
    'animas,B1,\n' + // repeats the stored client
    'Animas,B2,\n' + // another tax ID
    'Ana,,ana@b.test\n' +
    'ana,,ANA@b.test\n' + // repeats the line before
    'Ana,,other@b.test\n'
  const first = await dryRun(file)
  expect([first.created, first.refused]).toEqual([3, 2])
  expect(first.lines).toEqual(
    [2, 5].map(line => ({
      line,
      id: null,
      duplicates: 1,
      errors: [{ column: 'name', message: 'repeats a client with the same tax ID or e-mail' }],
    })),
  )
  expect(await imported(file)).toMatchObject({ created: 3, refused: 2, lines: first.lines })
  expect(await dryRun(file)).toMatchObject({ created: 0, refused: 5 })
  expect(await imported(file)).toMatchObject({ status: 'DONE', created: 0, refused: 5, done: 5 })
  expect(await clients()).toHaveLength(4)
})

test('finds duplicates in earlier parts, and announces many clients in frames of limited size', async () => {
  const count = limits.csvImportBatch + 1
  const names = Array.from({ length: count }, (_, n) => `Client ${n}`)
  const report = await imported(['name', ...names, names[0], ''].join('\n'))
  expect(report).toMatchObject({ status: 'DONE', created: count, refused: 1 })
  expect(report.lines).toMatchObject([{ line: count + 2, duplicates: 1 }])
  await server.relayed()
  const [sent] = await server.sql(
    `select sum(jsonb_array_length(data::jsonb -> 'createdIds'))::int as ids, max(jsonb_array_length(data::jsonb -> 'ids')) as most
     from event where organization_id = $1 and name = 'client.changed'`,
    [organization.id],
  )
  expect(sent).toEqual({ ids: count, most: limits.idsPerFrame })
})

test('refuses a file without names or with unknown columns, which a mapping assigns', async () => {
  const unknown = 'Firma,Ort,Kennzeichen\nMüller,Ulm,7\n'
  expect(refusalOf(await send('taxId\nB1\n'))).toEqual([400, 'CSV_NOT_READABLE'])
  expect(refusalOf(await send(unknown))).toEqual([400, 'CSV_NOT_READABLE'])
  expect(refusalOf(await send(unknown, { mapping: { Firma: 'score' } }))).toEqual([400, 'VALIDATION_ERROR'])
  const mapping = { Firma: 'name', Ort: 'city', Kennzeichen: null }
  const { status, body } = await send(unknown, { mapping, dryRun: 'true' })
  expect([status, body]).toMatchObject([
    200,
    {
      created: 1,
      ignoredColumns: ['Kennzeichen'],
      preview: [
        {
          line: 2,
          values: [
            { field: 'name', value: 'Müller' },
            { field: 'city', value: 'Ulm' },
          ],
        },
      ],
    },
  ])
})

test('runs one at a time beside an import of leads, is cancelled, and is deleted after the retention period', async () => {
  // no worker claims it
  await server.sql(`alter table client_import alter next_run_at set default now() + interval '1 hour'`)
  try {
    expect((await send('name\nSecret\n')).status).toBe(202)
    expect(refusalOf(await send('name\nAda\n'))).toEqual([409, 'CLIENT_IMPORT_RUNNING'])
    const part = only(await server.sql<{ lines: string }>('select lines from client_import_part'))
    expect(part.lines).not.toContain('Secret')
    const { items } = await owner.call(listClientImports, { query: {} })
    const params = { id: only(items).id }
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect(refusalOf(await send('name\nAda\n', { by: viewer }))).toEqual([403, 'PERMISSION_DENIED'])
    for (const operation of [readClientImport, cancelClientImport]) {
      expect(refusalOf(await viewer.send(operation, { params }))).toEqual([403, 'PERMISSION_DENIED'])
      expect(refusalOf(await stranger.send(operation, { params }))).toEqual([404, 'CLIENT_IMPORT_NOT_FOUND'])
    }
    expect(await owner.call(cancelClientImport, { params })).toMatchObject({
      status: 'CANCELLED',
      stoppedAt: 2,
    })
    expect(refusalOf(await owner.send(cancelClientImport, { params }))).toEqual([409, 'CLIENT_IMPORT_ENDED'])
    expect(await clients()).toEqual([])
    await server.sql(
      `update client_import set ended_at = now() - interval '${limits.csvImportDays} days' where id = $1`,
      [params.id],
    )
    expect(await deleteOldImports(server.api.services.database)).toBe(1)
    expect((await owner.call(listClientImports, { query: {} })).total).toBe(0)
  } finally {
    await server.sql('alter table client_import alter next_run_at set default now()')
  }
})
