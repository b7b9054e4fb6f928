import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOwnApplication } from '#contract/integrations/applications.ts'
import { connect } from '#sdk/client.ts'
import { makeDemo } from '#server/identity/index.ts'
import { openWorld, type TestWorld } from '#tests/support/test-server.ts'
import { furnishIntegrations } from './demo.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('the demo has two applications whose keys work, where the plan includes integrations', async () => {
  const { database } = world.api.world
  const demo = await makeDemo(database, world.api.identity.signIn, [furnishIntegrations])
  const [acme, borealis] = demo.organizations
  expect(acme!.applications.map(({ slug }) => slug)).toEqual(['support-desk', 'website'])
  expect(borealis!.applications).toEqual([])
  for (const { id, slug, name, key } of acme!.applications) {
    const own = await connect(world.url, { apiKey: key }).call(readOwnApplication)
    expect(own).toMatchObject({ id, slug, name, organizationId: acme!.id })
    expect(own.scopes).toContain('analytics:errors:write')
    const kept = await world.sql(
      'select t::text from application_key t union all select a::text from application a',
    )
    expect(JSON.stringify(kept)).not.toContain(key)
  }
})
