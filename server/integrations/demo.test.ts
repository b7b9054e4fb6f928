import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOwnApplication } from '#contract/integrations/applications.ts'
import { connect } from '#sdk/client.ts'
import { seedDemo } from '#server/identity/area.ts'
import { exactly } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { seedIntegrations } from './demo.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('the demo has two applications whose keys work, where the plan includes integrations', async () => {
  const { database } = server.api.services
  const demo = await seedDemo(database, server.api.identity.signIn, [seedIntegrations])
  const [acme, borealis] = exactly(2, demo.organizations)
  expect(acme.applications.map(({ slug }) => slug)).toEqual(['support-desk', 'website'])
  expect(borealis.applications).toEqual([])
  for (const { id, slug, name, key } of acme.applications) {
    const own = await connect(server.url, { apiKey: key }).call(readOwnApplication)
    expect(own).toMatchObject({ id, slug, name, organizationId: acme.id })
    expect(own.scopes).toContain('analytics:errors:write')
    const stored = await server.sql(
      'select t::text from application_key t union all select a::text from application a',
    )
    expect(JSON.stringify(stored)).not.toContain(key)
  }
})
