import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAssets } from '#contract/studio/assets.ts'
import { readCollection } from '#contract/studio/collections.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { makeAsset, makeCollection } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { counterRows, statusTypes } from './asset-counters.sql.ts'

let server: TestServer
let organization: Organization
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person()
})
afterAll(() => server.close())

it('stores each status and type at its position for ever', () => {
  // stored in databases: a new member takes a new number, and these stay
  expect(statusTypes.map(({ position, status, type }) => `${position} ${status} ${type}`)).toEqual([
    '1 DRAFT PROMPT',
    '2 DRAFT SKILL',
    '3 DRAFT AGENT',
    '4 DRAFT COMMAND',
    '5 DRAFT PLUGIN',
    '6 PUBLISHED PROMPT',
    '7 PUBLISHED SKILL',
    '8 PUBLISHED AGENT',
    '9 PUBLISHED COMMAND',
    '10 PUBLISHED PLUGIN',
    '11 ARCHIVED PROMPT',
    '12 ARCHIVED SKILL',
    '13 ARCHIVED AGENT',
    '14 ARCHIVED COMMAND',
    '15 ARCHIVED PLUGIN',
  ])
  const published = {
    author_id: 'author',
    visibility: 'WORKSPACE',
    department_set: '',
    status: 'PUBLISHED',
    type: 'SKILL',
  } as const
  const counts = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
  const shard = 7
  expect(counterRows('asset-7', undefined, published)).toEqual([
    { author_id: '', visibility: 'WORKSPACE', department_set: '', shard, counts },
    { author_id: 'author', visibility: 'WORKSPACE', department_set: '', shard: 0, counts },
    { author_id: '', visibility: '+', department_set: '', shard, counts },
  ])
})

it('counts on in rows that were written before a status or type existed', async () => {
  const collectionId = await makeCollection(person)
  const asset = { type: 'SKILL', visibility: 'ORGANIZATION' } as const
  const { id } = await makeAsset(person, { ...asset, collectionIds: [collectionId] })
  for (const table of ['asset_bucket_count', 'collection_bucket_count']) {
    await server.sql(`update ${table} set counts = counts[1:2] where organization_id = $1`, [organization.id])
  }
  const totals = async () => {
    const { total } = await person.call(listAssets, { query: { type: 'SKILL', status: 'PUBLISHED' } })
    return [total, (await person.call(readCollection, { params: { id: collectionId } })).assetCount]
  }
  expect(await totals()).toEqual([0, 1])
  await person.call(publishAsset, { params: { id }, body: {} })
  expect(await totals()).toEqual([1, 1])
  await makeAsset(person, asset)
  expect((await person.call(listAssets, { query: { type: 'SKILL' } })).total).toBe(2)
})
