import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCaller } from '#contract/identity/sessions.ts'
import { openWorld, type TestWorld } from '#tests/support/test-server.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('an operator is super administrator at home, and what their membership says elsewhere', async () => {
  const operator = await world.operator()
  const home = await operator.call(readCaller)
  expect([home.isOperator, home.isAdministrator, home.permissions.includes('STUDIO_VERIFY')]).toEqual([
    true,
    true,
    true,
  ])

  const other = await world.organization()
  const guest = await (await other.joined(operator)).call(readCaller)
  expect([guest.isOperator, guest.isAdministrator, guest.permissions.includes('STUDIO_VERIFY')]).toEqual([
    false,
    false,
    false,
  ])
})
