import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LeadOrder, leadOrders, listLeads } from '#contract/crm/leads.ts'
import { leadStatuses, openStatuses, temperatures } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import type { Client } from '#sdk/client.ts'
import { type MadeLead, makeLead, setStatus } from '#tests/support/crm/leads-and-clients.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

type Query = Input<typeof listLeads>['query']
type ScoredLead = MadeLead & { score: number | null; temperature: string | null }

let server: TestServer
let organization: Organization
let owner: Person
let colleague: Person
let stranger: Person
let client: Client
let leads: ScoredLead[]
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  colleague = await organization.person()
  client = (await makeApplication(server, organization, { scopes: ['crm:leads:read'] })).client
  for (let at = 0; at < 36; at++) {
    const { id } = await makeLead(owner, {
      ...(at % 3 > 0 && { lastName: itemAt(['Álvarez', 'zorro', 'Bello', 'alba'], at % 4) }),
      ...(at % 5 > 0 && { company: `Company ${at % 7}` }),
      ...(at % 4 > 0 && { score: (at * 13) % 50 }),
      ...(at % 2 > 0 && { assigneeId: colleague.id }),
      source: itemAt(['web', 'fair', 'import'], at % 3),
      ...(at % 4 > 0 && { stage: itemAt(['Called', 'Offer sent'], at % 2) }),
      ...(at % 5 > 0 && { temperature: defined(temperatures[at % 3]) }),
    })
    const status = defined(leadStatuses[at % 6])
    if (status !== 'NEW') await setStatus(server, organization.id, id, status)
  }
  stranger = await (await server.organization()).person({ role: 'OWNER' })
  await makeLead(stranger, { source: 'web' })
  leads = await everyLead()
  expect(leads).toHaveLength(36)
})
afterAll(() => server?.close())

async function everyLead(): Promise<ScoredLead[]> {
  const { data } = await owner.call(listLeads, {
    query: { status: [...leadStatuses], limit: 100, include: ['scoring'] },
  })
  return data as ScoredLead[]
}
const list = (query: Query, by: Client = owner) => by.call(listLeads, { query })
const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id)
const plain = (text: string | null) =>
  (text ?? '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
const keys: Record<LeadOrder, (lead: ScoredLead) => string | number> = {
  createdAt: lead => lead.createdAt,
  updatedAt: lead => lead.updatedAt,
  lastName: lead => plain(lead.lastName),
  company: lead => plain(lead.company),
  score: lead => lead.score ?? -1,
}
function sorted(some: readonly ScoredLead[], orderBy: LeadOrder, order: 'asc' | 'desc'): string[] {
  const key = keys[orderBy]
  const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
  const rising = [...some].sort((a, b) => compare(key(a), key(b)) || compare(a.id, b.id))
  return ids(order === 'asc' ? rising : rising.reverse())
}
const ways = leadOrders.flatMap(by => (['asc', 'desc'] as const).map(order => [by, order] as const))
const isOpen = ({ status }: ScoredLead) => openStatuses.some(open => open === status)

test.each(ways)('ordered by %s, %s, page after page', async (orderBy, order) => {
  const expected = sorted(leads.filter(isOpen), orderBy, order)
  for (const limit of [100, 7]) {
    const pages = Math.ceil(expected.length / limit)
    const result: string[] = []
    for (let page = 1; page <= pages; page++) {
      const { data, pagination } = await list({ orderBy, order, limit, page })
      result.push(...ids(data))
      expect(pagination).toEqual({
        page,
        limit,
        total: expected.length,
        totalPages: pages,
        hasNextPage: page < pages,
        hasPreviousPage: page > 1,
      })
    }
    expect(result).toEqual(expected)
  }
})

test.each(ways)('narrowed and ordered by %s, %s', async (orderBy, order) => {
  const middle = itemAt(leads, 18)
  const narrowings: [Query, (lead: ScoredLead) => boolean][] = [
    [{ assigneeId: colleague.id }, lead => lead.assigneeId === colleague.id],
    [{ source: 'web' }, lead => lead.source === 'web'],
    [
      { source: 'web', assigneeId: colleague.id },
      lead => lead.source === 'web' && lead.assigneeId === colleague.id,
    ],
    [{ createdFrom: middle.createdAt }, lead => lead.createdAt >= middle.createdAt],
    [{ createdTo: middle.createdAt }, lead => lead.createdAt <= middle.createdAt],
    [
      { createdTo: middle.createdAt, updatedFrom: middle.updatedAt, source: 'fair' },
      lead =>
        lead.createdAt <= middle.createdAt && lead.updatedAt >= middle.updatedAt && lead.source === 'fair',
    ],
    [{ updatedFrom: middle.updatedAt }, lead => lead.updatedAt >= middle.updatedAt],
    [
      { updatedFrom: middle.updatedAt, updatedTo: middle.updatedAt },
      lead => lead.updatedAt === middle.updatedAt,
    ],
    [{ source: 'nothing' }, () => false],
    [{ assigneeId: 'none' }, lead => lead.assigneeId === null],
    [{ assigneeId: 'none', source: 'web' }, lead => lead.assigneeId === null && lead.source === 'web'],
    [{ stage: 'Offer sent' }, lead => lead.stage === 'Offer sent'],
    [{ temperature: 'HOT' }, lead => lead.temperature === 'HOT'],
    [
      { temperature: 'HOT', assigneeId: 'none', stage: 'Called' },
      lead => lead.temperature === 'HOT' && lead.assigneeId === null && lead.stage === 'Called',
    ],
    [{ scoreFrom: 20 }, lead => lead.score !== null && lead.score >= 20],
    [{ scoreTo: 20 }, lead => lead.score !== null && lead.score <= 20],
    [
      { scoreTo: 40, scoreFrom: 10, assigneeId: colleague.id },
      lead => lead.score !== null && lead.score >= 10 && lead.score <= 40 && lead.assigneeId === colleague.id,
    ],
    [
      { scoreFrom: 10, createdFrom: middle.createdAt },
      lead => lead.score !== null && lead.score >= 10 && lead.createdAt >= middle.createdAt,
    ],
  ]
  for (const [query, fits] of narrowings) {
    const open = query.source === 'web' ? {} : { status: [...leadStatuses] }
    const expected = sorted(
      leads.filter(lead => fits(lead) && ('status' in open || isOpen(lead))),
      orderBy,
      order,
    )
    for (const page of [1, 2]) {
      const answer = await list({ ...query, ...open, orderBy, order, page, limit: 4 })
      expect(ids(answer.data)).toEqual(expected.slice((page - 1) * 4, page * 4))
      expect(answer.pagination.total).toBe(expected.length)
    }
  }
})

test('the default statuses apply without status and isConverted', async () => {
  const statuses = async (query: Query) =>
    [...new Set((await list({ ...query, limit: 100 })).data.map(({ status }) => status))].sort()
  expect(await statuses({})).toEqual([...openStatuses].sort())
  expect(await statuses({ isConverted: true })).toEqual(['WON'])
  expect(await statuses({ isConverted: false })).toEqual(leadStatuses.filter(one => one !== 'WON').sort())
  expect(await statuses({ status: ['LOST', 'WON'] })).toEqual(['LOST', 'WON'])
  expect(await statuses({ status: ['LOST', 'WON'], isConverted: true })).toEqual(['WON'])
  expect(await statuses({ status: ['NEW', 'NEW'] })).toEqual(['NEW'])
  const { data, pagination } = await list({ status: ['NEW'], isConverted: true })
  expect([data, pagination]).toEqual([
    [],
    { page: 1, limit: 20, total: 0, totalPages: 0, hasNextPage: false, hasPreviousPage: false },
  ])
})

test('a page after the last is empty and has the total', async () => {
  const { data, pagination } = await list({ page: limits.leadPages, limit: 100 })
  expect(data).toEqual([])
  expect(pagination).toMatchObject({ total: 24, totalPages: 1, hasNextPage: false, hasPreviousPage: true })
})

test('certain leads are read at once, whatever their status', async () => {
  const wanted = leads.filter((_, at) => at % 3 !== 0)
  const elsewhere = (await list({ ids: ids(wanted) }, stranger)).data
  expect(elsewhere).toEqual([])
  const { data, pagination } = await list({ ids: [newId(), ...ids(wanted)], page: 2, limit: 3 })
  expect(ids(data)).toEqual(sorted(wanted, 'createdAt', 'desc'))
  expect(pagination).toMatchObject({ page: 1, limit: limits.pageLimit, total: wanted.length, totalPages: 1 })
  const lost = await list({ ids: ids(wanted), status: ['LOST'], orderBy: 'company', order: 'asc' })
  expect(ids(lost.data)).toEqual(
    sorted(
      wanted.filter(({ status }) => status === 'LOST'),
      'company',
      'asc',
    ),
  )
  const unassigned = await list({ ids: ids(wanted), assigneeId: 'none' })
  expect(unassigned.data.map(({ assigneeId }) => assigneeId)).toEqual(unassigned.data.map(() => null))
  expect(unassigned.data.length).toBeGreaterThan(0)
})

test('refuses invalid queries', async () => {
  const revealing: Query[] = [{ orderBy: 'score' }, { temperature: 'HOT' }, { scoreFrom: 1 }, { scoreTo: 99 }]
  for (const query of revealing)
    expect(refusalOf(await client.send(listLeads, { query }))).toEqual([403, 'INSUFFICIENT_SCOPE'])
  const wrong = [
    { page: 0 },
    { page: limits.leadPages + 1 },
    { limit: 0 },
    { limit: limits.pageLimit + 1 },
    { status: ['OPEN'] },
    { orderBy: 'email' },
    { order: 'up' },
    { createdFrom: 'yesterday' },
    { isConverted: 'perhaps' },
    { include: ['email'] },
    { source: '' },
    { stage: '' },
    { temperature: 'TEPID' },
    { scoreFrom: -1 },
    { scoreTo: 101 },
    { ids: Array.from({ length: limits.pageLimit + 1 }, newId) },
  ]
  for (const query of wrong)
    expect([query, ...refusalOf(await owner.send(listLeads, { query: query as never }))]).toEqual([
      query,
      400,
      'VALIDATION_ERROR',
    ])
})

test('an application sees the same as people, without parts that it may not read', async () => {
  const theirs = await client.send(listLeads, { query: { limit: 100, include: ['scoring', 'notes'] } })
  expect(theirs.headers.get('x-service-omitted')).toBe('scoring, notes')
  expect(theirs.body).toEqual(await list({ limit: 100 }))
})
