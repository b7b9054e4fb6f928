import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { openRates, type Rates } from './attempt-limits.ts'
import { openSignInServer, type SignInServer } from './test-server.ts'

let server: SignInServer
let rates: Rates
beforeAll(async () => {
  server = await openSignInServer()
  rates = openRates(server.pool, 'another process with the same secret')
})
beforeEach(() => server.forgetRates())
afterAll(() => server.close())

const guess = { path: '/sign-in/email', address: '192.0.2.1', account: 'ada@example.com' }

test('two processes together allow as many attempts as one', async () => {
  const elsewhere = openRates(server.pool, 'another process with the same secret')
  const refusals = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? rates : elsewhere).count(guess)),
  )
  expect(refusals.filter(refused => refused === undefined)).toHaveLength(10)
  expect(refusals.find(refused => refused)).toMatchObject({ times: 10, windowSeconds: 900 })
})

test('an account is also limited over all addresses', async () => {
  const refusals = []
  for (let host = 1; host <= 60; host++)
    refusals.push(await rates.count({ ...guess, address: `192.0.2.${host}` }))
  expect(refusals.filter(refused => refused === undefined)).toHaveLength(50)
  expect(refusals.at(-1)).toMatchObject({ times: 50, windowSeconds: 3_600 })
})

test('one address is limited over all accounts', async () => {
  const refusals = []
  for (let person = 1; person <= 70; person++)
    refusals.push(await rates.count({ ...guess, account: `${person}@x.org` }))
  expect(refusals.filter(refused => refused === undefined)).toHaveLength(60)
})

test('a window ends by database time', async () => {
  for (let attempt = 1; attempt <= 11; attempt++) await rates.count(guess)
  expect(await rates.count(guess)).toBeDefined()
  await server.pool.query("update sign_in_rate set resets_at = now() - interval '1 ms'")
  expect(await rates.count(guess)).toBeUndefined()
})

test('refused attempts do not extend the wait', async () => {
  for (let attempt = 1; attempt <= 11; attempt++) await rates.count(guess)
  // kept to the millisecond, which may round it up
  await server.pool.query("update sign_in_rate set resets_at = now() + interval '29 s'")
  await rates.count(guess)
  expect(defined(await rates.count(guess)).retryAfterSeconds).toBeLessThanOrEqual(30)
})

test('the table contains no addresses or e-mails', async () => {
  await rates.count(guess)
  const { rows } = await server.pool.query('select key from sign_in_rate')
  expect(rows).toHaveLength(3)
  expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|ada/)
})
