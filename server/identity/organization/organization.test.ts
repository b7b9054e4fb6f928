import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateOperatedOrganization } from '#contract/identity/operator.ts'
import { getOrganization, updateOrganization } from '#contract/identity/organization.ts'
import { readCaller } from '#contract/identity/sessions.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('every member sees the result of plan and exceptions', async () => {
  const org = await server.organization({ name: 'Nordlicht', plan: 'TEAM' })
  await server.sql(
    `update organization set modules_added = '{finance}', modules_removed = '{crm}', capabilities_added = '{crm.leads}' where id = $1`,
    [org.id],
  )
  expect(await (await org.person()).call(getOrganization, {})).toEqual({
    id: org.id,
    name: 'Nordlicht',
    address: expect.any(String),
    plan: 'TEAM',
    modules: ['studio', 'integrations', 'finance'],
    capabilities: ['crm.leads'],
    features: [],
    publisherName: null,
    publisherVerified: false,
    createdAt: expect.any(String),
  })
})

test('ORG_MANAGE can rename it and change features, on every process within two seconds', async () => {
  const org = await server.organization()
  const [owner, member] = [await org.person({ role: 'OWNER' }), await org.person()]
  const there = member.at((await server.anotherApi()).url)
  expect((await there.call(readCaller, {})).features).toEqual([])
  const changed = await owner.call(updateOrganization, {
    body: { name: ' New name ', features: ['marketplace'] },
  })
  expect(changed).toMatchObject({ name: 'New name', features: ['marketplace'] })
  expect((await member.call(readCaller, {})).features).toEqual(['marketplace'])
  await expect.poll(async () => (await there.call(readCaller, {})).features).toEqual(['marketplace'])
  await owner.call(updateOrganization, { body: { features: [] } })
  await owner.call(updateOrganization, { body: {} })
  await server.relayed()
  const rows = await server.sql(
    'select subject, changed from audit where organization_id = $1 order by seq',
    [org.id],
  )
  expect(rows).toEqual([
    { subject: org.id, changed: ['name', 'features'] },
    { subject: org.id, changed: ['features'] },
    { subject: org.id, changed: [] },
  ])
})

test('it chooses its publisher name; a new name is not verified', async () => {
  const org = await server.organization()
  const [owner, operator] = [await org.person({ role: 'OWNER' }), await server.operator()]
  const rename = (publisherName: string | null) => owner.call(updateOrganization, { body: { publisherName } })
  const verify = () =>
    operator.call(updateOperatedOrganization, { params: { id: org.id }, body: { publisherVerified: true } })
  const shown = (name: string | null, isVerified: boolean) => ({
    publisherName: name,
    publisherVerified: isVerified,
  })
  expect(await verify()).toMatchObject(shown(null, false))
  expect(await rename(' Acme ')).toMatchObject(shown('Acme', false))
  expect(await verify()).toMatchObject(shown('Acme', true))
  expect(await owner.call(updateOrganization, { body: { features: [] } })).toMatchObject(shown('Acme', true))
  expect(await rename('Acme')).toMatchObject(shown('Acme', true))
  expect(await rename('Acme 2')).toMatchObject(shown('Acme 2', false))
  await verify()
  expect(await rename(null)).toMatchObject(shown(null, false))
  expect(await owner.call(getOrganization, {})).toMatchObject(shown(null, false))
  await server.relayed()
  const rows = await server.sql(
    `select changed from audit where organization_id = $1 and changed <> '{}' order by seq`,
    [org.id],
  )
  expect(rows.map(({ changed }) => changed)).toEqual([
    ['publisherName'],
    ['publisherVerified'],
    ['publisherName'],
    ['publisherVerified'],
    ['publisherName'],
  ])
})

test('a member cannot change it', async () => {
  const member = await (await server.organization()).person()
  const answer = await member.send(updateOrganization, { body: { name: 'Mine' } })
  expect(answer).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
})

test.each([
  [{ name: '' }],
  [{ name: 'x'.repeat(121) }],
  [{ name: 'two\nlines' }],
  [{ features: ['teleport'] }],
  [{ features: ['marketplace', 'marketplace'] }],
  [{ publisherName: '' }],
  [{ publisherName: 'x'.repeat(121) }],
  [{ publisherVerified: true }],
  [{ plan: 'ENTERPRISE' }],
])('refuses %j', async body => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const answer = await owner.send(updateOrganization, { body: body as never })
  expect(answer).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
})
