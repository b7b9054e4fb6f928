import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readLeadValues } from '#contract/crm/lead-values.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { limits } from '#contract/limits.ts'
import { eraseLeadOf, makeLead, setStatus } from '#tests/support/crm/leads-and-clients.ts'
import { insertLeads } from '#tests/support/crm/many-leads.ts'
import { openPlans } from '#tests/support/plans.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { leadValues } from './lead-values.sql.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const values = (by = owner) => by.call(readLeadValues, {})
test('are those of all leads, with the number of open ones', async () => {
  const mia = await organization.person({ name: 'Mia' })
  const leaver = await organization.person({ name: 'Leo' })
  await makeLead(owner, { source: 'web', stage: 'Called', temperature: 'HOT', assigneeId: mia.id })
  await makeLead(owner, { source: 'web', temperature: 'HOT', assigneeId: leaver.id })
  await makeLead(owner, { source: 'fair' })
  const lost = await makeLead(owner, { source: 'old list', stage: 'Called', assigneeId: mia.id })
  await setStatus(server, organization.id, lost.id, 'LOST')
  const erased = await makeLead(owner, { source: 'secret', stage: 'Secret' })
  await eraseLeadOf(owner, erased.id)
  await owner.call(removeMember, { params: { personId: leaver.id } })
  const elsewhere = await (await server.organization()).person({ role: 'OWNER' })
  await makeLead(elsewhere, { source: 'theirs', stage: 'Theirs' })
  const found = await values()
  expect(found).toEqual({
    sources: {
      items: [
        { value: 'fair', count: 1 },
        { value: 'old list', count: 0 },
        { value: 'web', count: 2 },
      ],
      hasMore: false,
    },
    stages: { items: [{ value: 'Called', count: 1 }], hasMore: false },
    temperatures: [
      { value: 'COLD', count: 0 },
      { value: 'WARM', count: 0 },
      { value: 'HOT', count: 2 },
    ],
    assignees: { items: expect.any(Array), hasMore: false },
    unassigned: 1,
  })
  const byName = (name: string) => found.assignees.items.find(one => one.name === name)
  expect(found.assignees.items).toHaveLength(2)
  expect(byName('Mia')).toEqual({ id: mia.id, name: 'Mia', isMember: true, count: 1 })
  expect(byName('Leo')).toEqual({ id: leaver.id, name: 'Leo', isMember: false, count: 1 })
})

test('are empty without leads, and for people who may see leads', async () => {
  expect(await values(await organization.person({ permissions: ['CRM_VIEW'] }))).toMatchObject({
    sources: { items: [], hasMore: false },
    assignees: { items: [], hasMore: false },
    unassigned: 0,
  })
  const other = await organization.person({ permissions: ['STUDIO_VIEW'] })
  expect(refusalOf(await other.send(readLeadValues, {}))).toEqual([403, 'PERMISSION_DENIED'])
})

test('are at most 50 of a field, and cost no more than their counts', async () => {
  // one of three stages is rare, another only has lost leads
  await insertLeads(server, organization.id, 30_000, n => {
    const isLost = n % 3 === 0
    return {
      id: `v${n}`,
      status: isLost ? 'LOST' : 'NEW',
      lost_by: isLost ? 'TEAM' : null,
      source: `source ${String(n % 20_000).padStart(6, '0')}`,
      stage: n === 20_000 ? 'Rare' : isLost ? 'Over' : 'Usual',
      temperature: 'HOT',
      assignee_id: n % 2 === 0 ? owner.id : null,
    }
  })
  await server.sql('vacuum analyze lead')
  const { sources, stages, temperatures, unassigned, assignees } = await values()
  expect(sources.hasMore).toBe(true)
  expect(sources.items).toHaveLength(limits.leadValues)
  expect(sources.items[1]).toEqual({ value: 'source 000001', count: 1 })
  expect(stages.items).toEqual([
    { value: 'Over', count: 0 },
    { value: 'Rare', count: 1 },
    { value: 'Usual', count: limits.leadValueCount },
  ])
  const many = [unassigned, assignees.items[0]?.count, temperatures[2]?.count]
  expect(many).toEqual([1, 2, 3].map(() => limits.leadValueCount))
  const plans = await openPlans(server.config.databaseUrl)
  try {
    // a few blocks of the index for each value, and at most one for each counted lead
    const counted = limits.leadValueCount + 100
    const explained = await plans.explain(organization.id, leadValues)
    const [ofSources, ofStages, ofAssignees, ofOthers] = explained.map(({ blocks }) => blocks)
    expect(ofSources).toBeLessThan(limits.leadValues * 30)
    expect(ofStages).toBeLessThan(counted)
    expect(ofAssignees).toBeLessThan(counted)
    expect(ofOthers).toBeLessThan(2 * counted)
    expect(explained).toHaveLength(4)
  } finally {
    await plans.close()
  }
})
