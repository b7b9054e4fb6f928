import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { distribute, isDistributed } from './distribute.sql.ts'
import { placementOf } from './placement.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.drop())

test('a database without Citus is refused with what to do, and counts as not distributed', async () => {
  await expect(distribute(database.url, { print: () => {} })).rejects.toThrow('create extension citus')
  expect(await isDistributed(database.url)).toBe(false)
})

test('a table has its place by its organization, or by its name', () => {
  expect(placementOf('lead', ['organization_id', 'id'])).toEqual({
    kind: 'distributed',
    by: 'organization_id',
  })
  expect(placementOf('person', ['id'])).toMatchObject({ kind: 'reference' })
  expect(placementOf('unknown', ['id'])).toBeUndefined()
})
