import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestWorld } from '#tests/world.ts'
import { type Counted, complaint, fuzz } from './fuzz.ts'
import { type Operation, operations } from './operations.ts'

const all = await operations()
const runs = 10
/** For each operation, on a machine that is busy with other things: these few take a tenth of a second. */
const budgetMs = 10_000
const counted: Counted = {}
let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world?.close()
  process.stdout.write(`fuzz: answers by status ${JSON.stringify(counted)}\n`)
})

// the same cases every time; tests/long tries others, and many more
test.each(all)('$route ($door) answers as promised, whatever it is given', async operation => {
  const statuses = await fuzz(world, operation, { runs, budgetMs, seed: 20_261_121 })
  for (const [status, count] of Object.entries(statuses))
    counted[Number(status)] = (counted[Number(status)] ?? 0) + count
  expect(statuses[operation.endpoint.status]).toBeGreaterThan(0)
})

test('an answer that was not promised is found', () => {
  const operation = all.find(({ name }) => name === 'getRole') as Operation
  const answer = (status: number, body: object | string, type = 'application/json; charset=utf-8') => ({
    status,
    headers: new Headers({ 'content-type': type }),
    text: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const standard = { statusCode: 404, error: 'Not Found', message: 'There is none.' }
  expect(complaint(operation, answer(200, {}))).toBeUndefined()
  expect(complaint(operation, answer(404, { ...standard, errorCode: 'ROLE_NOT_FOUND' }))).toBeUndefined()
  for (const bad of [
    answer(500, standard),
    answer(201, {}),
    answer(404, { ...standard, errorCode: 'ASSET_NOT_FOUND' }),
    answer(404, standard),
    answer(404, { ...standard, statusCode: 400, errorCode: 'ROLE_NOT_FOUND' }),
    answer(404, { ...standard, errorCode: 'ROLE_NOT_FOUND', stack: 'at x' }),
    answer(404, { ...standard, errorCode: 'ROLE_NOT_FOUND', details: 'no list' }),
    answer(404, { ...standard, message: ['a list'], errorCode: 'ROLE_NOT_FOUND' }),
    answer(404, 'Not found', 'text/plain'),
    answer(404, '<html>'),
  ]) {
    expect(complaint(operation, bad)).toBeDefined()
  }
})
