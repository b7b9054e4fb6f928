import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCrmSettings, updateCrmSettings } from '#contract/crm/settings.ts'
import { recorded } from '#tests/support/crm/leads-and-clients.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { openWorld, type TestWorld } from '#tests/support/test-server.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('the country of telephone numbers is read by who sees leads and set by who manages the organization', async () => {
  const organization = await world.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const viewer = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
  expect(await viewer.call(readCrmSettings)).toEqual({ phoneCountry: 'ES' })
  const body = { phoneCountry: 'DE' }
  expect(refusalOf(await viewer.send(updateCrmSettings, { body }))).toEqual([403, 'PERMISSION_DENIED'])
  for (let time = 0; time < 2; time++) expect(await owner.call(updateCrmSettings, { body })).toEqual(body)
  expect(await viewer.call(readCrmSettings)).toEqual(body)
  for (const phoneCountry of ['ZZ', 'de', 'DEU'])
    expect(refusalOf(await owner.send(updateCrmSettings, { body: { phoneCountry } }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  expect(await recorded(world, organization.id)).toEqual([['phoneCountry'], []])
  const other = await (await world.organization()).person({ role: 'OWNER' })
  expect(await other.call(readCrmSettings)).toEqual({ phoneCountry: 'ES' })
})
