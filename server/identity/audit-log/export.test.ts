import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAudit } from '#contract/identity/audit-log.ts'
import { createRole } from '#contract/identity/roles.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertMany } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('exports what matches the filters, newest first, and records the export', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER', name: '=HYPERLINK("x"), "Olga"' })
  const ids: string[] = []
  for (const name of ['One', 'Two']) {
    ids.unshift((await owner.call(createRole, { body: { name, permissions: [] } })).id)
    await server.relayed()
  }
  const lines = async (query: object) => {
    const { bytes } = await owner.send(exportAudit, { query: query as never })
    const text = Buffer.from(bytes).toString()
    return text
      .replace(/^\ufeff/, '')
      .trimEnd()
      .split('\r\n')
  }
  const [header, ...rows] = await lines({ operation: 'POST /api/org/roles' })
  expect(header).toBe(
    'seq,at,actorId,actorName,auth,ip,client,requestId,operation,subject,changed,detail,hash',
  )
  expect(rows).toHaveLength(2)
  for (const [at, row] of rows.entries()) {
    expect(row).toContain(`,POST /api/org/roles,${ids[at]},name permissions,,`)
    // a spreadsheet does not run the name as a formula
    expect(row).toContain(`"'=HYPERLINK(""x""), ""Olga"""`)
  }
  expect((await lines({ subject: ids[0] })).slice(1)).toEqual([rows[0]])
  await server.relayed()
  // the newest may be the export that lists them
  const exports = await lines({ operation: 'GET /api/org/audit/export' })
  expect(exports.join('\n')).toContain(JSON.stringify({ subject: ids[0] }).replaceAll('"', '""'))
})

test('exports several pages without a gap', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  await insertMany(server, 'audit', 2_500, n => ({
    organization_id: organization.id,
    seq: n,
    auth: 'system',
    operation: 'planted',
  }))
  const { bytes } = await owner.send(exportAudit, { query: { operation: 'planted' } })
  const text = Buffer.from(bytes).toString()
  const numbers = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map(line => Number(line.split(',')[0]))
  expect(numbers).toEqual(Array.from({ length: 2_500 }, (_, at) => 2_500 - at))
})

test('requires ORG_MANAGE', async () => {
  const member = await (await server.organization()).person()
  expect(refusalOf(await member.send(exportAudit))).toEqual([403, 'PERMISSION_DENIED'])
})
