import { afterAll, beforeAll, expect, test } from 'vitest'
import { listLeads, searchLeads } from '#contract/crm/leads.ts'
import { openStatuses } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { insertLeads } from '#tests/support/crm/many-leads.ts'
import { inTurn } from '#tests/support/elements.ts'
import { openPlans, type Plans } from '#tests/support/plans.ts'
import { scattered } from '#tests/support/random.ts'
import { secondsAgo } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { termsOf } from '../../search-terms.ts'
import { findLeads, findLeadsOfStatuses } from '../search/lead-search.sql.ts'
import { filterLeads } from './lead-filters.sql.ts'
import { listLeads as wholeList } from './lead-list.sql.ts'

// the cost of a list or search depends on its page and on the limits of the contract, not on the number of leads

const many = 30_000
let server: TestServer
let organization: Organization
let person: Person
let plans: Plans
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  organization = await server.organization()
  person = await organization.person()
  const statuses = ['NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING']
  await insertLeads(server, organization.id, many, n => ({
    id: `c${String(n).padStart(24, '0')}`,
    status: inTurn(statuses, n),
    search: n === 1 ? ' needle' : n % 20 === 0 ? ' seldom' : ' common',
    last_name_folded: scattered(n),
    company_folded: scattered(n),
    source: 'web',
    assignee_id: n % 2 === 0 ? person.id : null,
    score: n % 101,
    stage: 'Called',
    temperature: 'HOT',
    created_at: secondsAgo(n * 60),
    updated_at: secondsAgo((n * 7) % many),
  }))
  await server.sql('vacuum analyze lead')
  plans = await openPlans(server.config.databaseUrl, ['force_custom_plan', 'force_generic_plan'])
})
afterAll(async () => {
  await plans?.close()
  await server?.close()
})

const blocksOf = (read: (db: Tx) => Promise<unknown>) => plans.blocksOf(organization.id, read)

const listing = { statuses: openStatuses, orderBy: 'createdAt', order: 'desc', limit: 20, offset: 0 } as const
/** At most one block per counted row, for its visibility, plus the page. */
const counted = limits.leadsCounted + 500
const longAgo = '2001-01-01T00:00:00.000Z'

test.each(['createdAt', 'updatedAt', 'lastName', 'company', 'score'] as const)(
  'a page by %s',
  async orderBy => {
    for (const order of ['asc', 'desc'] as const) {
      expect(await blocksOf(db => wholeList(db, { ...listing, orderBy, order }))).toBeLessThan(300)
      // at most one block per skipped row and status before the page
      expect(await blocksOf(db => wholeList(db, { ...listing, orderBy, order, offset: 1_000 }))).toBeLessThan(
        4_600,
      )
    }
  },
)

test.each([
  ['an assignee', (): object => ({ assigneeId: person.id })],
  ['a source', () => ({ source: 'web' })],
  ['a stage', () => ({ stage: 'Called' })],
  ['a temperature', () => ({ temperature: 'HOT' })],
  ['no assignee', () => ({ assigneeId: 'none' })],
  ['a time of creation', () => ({ createdFrom: longAgo })],
])('a page of %s', async (_, filters) => {
  expect(await blocksOf(db => filterLeads(db, listing, filters()))).toBeLessThan(counted)
})

test('a page of a time of change', async () => {
  const byChange = { ...listing, orderBy: 'updatedAt' } as const
  expect(await blocksOf(db => filterLeads(db, byChange, { updatedFrom: longAgo }))).toBeLessThan(counted)
})

test('a page of a range of scores', async () => {
  const byScore = { ...listing, orderBy: 'score' } as const
  expect(await blocksOf(db => filterLeads(db, byScore, { scoreFrom: 0 }))).toBeLessThan(counted)
})

test('certain leads are read by their keys', async () => {
  const ids = [1, 500, 29_000].map(n => `c${String(n).padStart(24, '0')}`)
  expect(await blocksOf(db => filterLeads(db, listing, { ids }))).toBeLessThan(50)
  expect(
    await blocksOf(db => filterLeads(db, listing, { ids, source: 'web', temperature: 'HOT' })),
  ).toBeLessThan(50)
})

test('combined filters read no more leads than the limit', async () => {
  const most = 5 * limits.leadsCounted
  const both = { assigneeId: 'somebody', source: 'web', updatedFrom: longAgo }
  expect(await blocksOf(db => filterLeads(db, { ...listing, orderBy: 'score' }, both))).toBeLessThan(most)
  const hot = { assigneeId: 'none', temperature: 'HOT', stage: 'Called', scoreFrom: 5 } as const
  expect(await blocksOf(db => filterLeads(db, { ...listing, orderBy: 'score' }, hot))).toBeLessThan(most)
  const his = { assigneeId: person.id, source: 'nowhere' }
  expect(await blocksOf(db => filterLeads(db, { ...listing, orderBy: 'lastName' }, his))).toBeLessThan(most)
  const { pagination } = await person.call(listLeads, { query: { source: 'web', orderBy: 'company' } })
  expect(pagination.total).toBe(limits.leadsCounted)
})

test.each([
  ['common', limits.leadSearchNewest + 200],
  ['seldom', limits.leadSearchNewest + 1_500],
  ['needle', limits.leadSearchNewest + 200],
  ['ne', limits.leadSearchNewest + 200],
  ['commonneedle', limits.leadSearchNewest + 200],
])('a search for %s', async (q, most) => {
  const search = { statuses: openStatuses, limit: 20, offset: 0 }
  expect(await blocksOf(db => findLeads(db, termsOf(q), search))).toBeLessThan(most)
  const { pagination } = await person.call(searchLeads, { query: { q } })
  expect(pagination.total).toBeLessThanOrEqual(limits.leadSearchNewest + limits.leadSearchFound)
})

test('a search in one status reads the newest leads of this status', async () => {
  const search = { statuses: ['QUALIFIED'], limit: 20, offset: 0 } as const
  expect(await blocksOf(db => findLeadsOfStatuses(db, termsOf('common'), search))).toBeLessThan(
    limits.leadSearchNewest + 300,
  )
})
