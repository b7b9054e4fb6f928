import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestWorld } from '#tests/world.ts'
import { ask, written } from './ask.ts'
import { callsOf, fixtures } from './fixtures.ts'
import { type Home, openHome } from './home.ts'
import { operations } from './operations.ts'
import { textsIn, textsOf } from './texts.ts'

const all = await operations()
let world: TestWorld
let home: Home
beforeAll(async () => {
  world = await openWorld()
  home = await openHome(world)
})
afterAll(() => world?.close())

test('every operation has a fixture, and every fixture an operation', () => {
  expect(Object.keys(fixtures).sort()).toEqual([...new Set(all.map(({ name }) => name))].sort())
})

test.each(all)('$name: its calls succeed ($route)', async operation => {
  const { name, endpoint } = operation
  for (const call of await callsOf(name, home)) {
    await world.sql('delete from rate_window')
    const answer = await ask(world.url, written(operation, call, await home.credential(operation)))
    expect([answer.status, answer.text]).toEqual([endpoint.status, expect.anything()])
  }
})

test.each(all)('$name: its calls give every text that it takes', async ({ name, endpoint }) => {
  const given = (await callsOf(name, home)).flatMap(call => textsIn(call).map(({ path }) => path.join('.')))
  const missing = textsOf(endpoint).filter(path => !given.includes(path))
  expect(missing).toEqual([])
})
