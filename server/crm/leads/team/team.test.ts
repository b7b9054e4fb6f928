import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disqualifyLead, qualifyLead } from '#contract/crm/lead-moves.ts'
import { readLead, updateLead } from '#contract/crm/leads.ts'
import type { LeadStatus } from '#contract/crm/shapes.ts'
import { changeLeads, listLeadHistory, moveLead, teamStatuses } from '#contract/crm/team.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { auditedChanges, eventsOfLead, makeLead, setStatus } from '#tests/support/crm/leads-and-clients.ts'
import { defined, findIn, itemAt, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
let viewer: Person
let stranger: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER', name: 'Olga' })
  viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  stranger = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server?.close())
beforeEach(() => server.sql('delete from rate_window'))

type Move = Input<typeof moveLead>['body']
const move = (id: string, body: Move, by = owner) => by.send(moveLead, { params: { id }, body })
type Bulk = Input<typeof changeLeads>['body']
const bulk = (body: Bulk, by = owner) => by.send(changeLeads, { body })
const rowOf = async (id: string) =>
  only(await server.sql<Record<string, unknown>>('select * from lead where id = $1', [id]))

describe('moving', () => {
  const ways: Partial<Record<LeadStatus, LeadStatus[]>> = {
    NEW: ['CONTACTED', 'LOST'],
    CONTACTED: ['NEW', 'NEGOTIATING', 'LOST'],
    QUALIFIED: ['NEGOTIATING', 'LOST'],
    NEGOTIATING: ['CONTACTED', 'QUALIFIED', 'LOST'],
    LOST: ['NEW'],
  }
  test.each(teamStatuses)('from %s it goes where the team may take it, and nowhere else', async from => {
    for (const to of teamStatuses) {
      const { id } = await makeLead(owner)
      if (from !== 'NEW') await setStatus(server, organization.id, id, from)
      const answer = await move(id, { status: to })
      if (defined(ways[from]).includes(to))
        expect(answer).toMatchObject({ status: 200, body: { changed: true, lead: { status: to } } })
      else expect(refusalOf(answer)).toEqual([409, 'LEAD_MOVE_NOT_ALLOWED'])
      expect((await rowOf(id)).status).toBe(defined(ways[from]).includes(to) ? to : from)
    }
  })

  test('is emitted, audited and stored with its reason', async () => {
    const { id } = await makeLead(owner)
    await move(id, { status: 'CONTACTED', reason: 'Called back' })
    await move(id, { status: 'LOST', reason: 'No budget' })
    expect((await eventsOfLead(server, id)).map(({ name }) => name).sort()).toEqual(
      ['LEAD_CREATED', 'LEAD_UPDATED', 'LEAD_DISQUALIFIED', 'LEAD_UPDATED'].sort(),
    )
    const lost = findIn(await eventsOfLead(server, id), ({ name }) => name === 'LEAD_DISQUALIFIED')
    expect(lost.data).toMatchObject({ previousStatus: 'CONTACTED', reason: 'No budget' })
    expect((await auditedChanges(server, id)).slice(1)).toEqual([['status'], ['status']])
    expect(await rowOf(id)).toMatchObject({ lost_by: 'TEAM', lost_at: expect.any(String) })
    // the two error codes differ in this
    expect(refusalOf(await owner.send(disqualifyLead, { params: { id } }))).toEqual([
      409,
      'LEAD_ALREADY_LOST',
    ])
    await move(id, { status: 'NEW' })
    expect(await rowOf(id)).toMatchObject({ lost_by: null })
  })

  test('keeps the time of the first qualification', async () => {
    const { id } = await makeLead(owner)
    const { lead } = await owner.call(qualifyLead, { params: { id } })
    for (const status of ['NEGOTIATING', 'QUALIFIED'] as const)
      expect(await move(id, { status })).toMatchObject({ body: { lead: { qualifiedAt: lead.qualifiedAt } } })
    expect(lead.qualifiedAt).toBe(lead.updatedAt)
  })

  test('refuses converted and changed leads, and callers without permission', async () => {
    const lead = await makeLead(owner)
    const { id } = lead
    await owner.call(updateLead, { params: { id }, body: { company: 'Other' } })
    const late = await move(id, { status: 'CONTACTED', expectedUpdatedAt: lead.updatedAt })
    expect(refusalOf(late)).toEqual([409, 'LEAD_UPDATE_CONFLICT'])
    expect(refusalOf(await move(id, { status: 'CONTACTED' }, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    const [away, unknown] = [
      await move(id, { status: 'CONTACTED' }, stranger),
      await move(newId(), { status: 'CONTACTED' }),
    ]
    expect(away.status).toBe(404)
    expect(away.text).toBe(unknown.text)
    expect((await move(id, { status: 'WON' as never })).status).toBe(400)
    expect((await move(id, { status: 'LOST', reason: 'x'.repeat(limits.leadReason + 1) })).status).toBe(400)
    await setStatus(server, organization.id, id, 'WON')
    expect(refusalOf(await move(id, { status: 'LOST' }))).toEqual([409, 'LEAD_ALREADY_CONVERTED'])
  })

  test('of two concurrent moves one succeeds', async () => {
    const { id } = await makeLead(owner)
    const answers = await Promise.all([1, 2, 3].map(() => move(id, { status: 'CONTACTED' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })
})

describe('changing many', () => {
  test('reports each result and changes the others at one moment', async () => {
    const leads = await Promise.all([1, 2, 3, 4].map(() => makeLead(owner)))
    const [a, b, won, lost] = leads.map(({ id }) => id) as [string, string, string, string]
    await setStatus(server, organization.id, won, 'WON')
    await setStatus(server, organization.id, lost, 'LOST')
    await setStatus(server, organization.id, b, 'CONTACTED')
    const nobody = newId()
    const ids = [lost, nobody, b, won, a]
    const { status, body } = await bulk({ ids, status: 'CONTACTED', reason: 'Called all' })
    expect(status).toBe(200)
    expect(body).toEqual({
      items: [
        { id: lost, changed: false, errorCode: 'LEAD_MOVE_NOT_ALLOWED' },
        { id: nobody, changed: false, errorCode: 'LEAD_NOT_FOUND' },
        { id: b, changed: false, errorCode: null },
        { id: won, changed: false, errorCode: 'LEAD_ALREADY_CONVERTED' },
        { id: a, changed: true, errorCode: null },
      ],
      changed: 1,
      recordedAt: expect.any(String),
    })
    const all = await bulk({ ids: [a, b], stage: ' Waiting ', assigneeId: viewer.id })
    expect(all.body).toMatchObject({ changed: 2 })
    const read = await Promise.all([a, b].map(id => owner.call(readLead, { params: { id } })))
    for (const lead of read)
      expect(lead).toMatchObject({
        stage: 'Waiting',
        assigneeId: viewer.id,
        status: 'CONTACTED',
        updatedAt: all.body.recordedAt,
      })
    expect((await eventsOfLead(server, a)).map(({ name }) => name)).toEqual([
      'LEAD_CREATED',
      'LEAD_UPDATED',
      'LEAD_UPDATED',
    ])
    const audit = await server.sql<{ changed: string[]; detail: { changes: object } }>(
      `select changed, detail from audit where operation like '%/leads/bulk' order by seq`,
    )
    expect(audit.map(({ changed }) => changed)).toEqual([['status'], ['stage', 'assigneeId']])
    expect(Object.keys(itemAt(audit, 1).detail.changes).sort()).toEqual([a, b].sort())
    const cleared = await bulk({ ids: [a, b], stage: null, assigneeId: null })
    expect(cleared.body).toMatchObject({ changed: 2 })
    const again = await bulk({ ids: [a, b], stage: null })
    expect(again.body).toMatchObject({ changed: 0, recordedAt: null })
  })

  test('refuses an empty change, too many leads, and an unknown assignee', async () => {
    const { id } = await makeLead(owner)
    expect((await bulk({ ids: [id] })).status).toBe(422)
    expect((await bulk({ ids: [id], assigneeId: stranger.id })).status).toBe(422)
    expect((await rowOf(id)).assignee_id).toBeNull()
    expect((await bulk({ ids: [], stage: 'x' })).status).toBe(400)
    expect((await bulk({ ids: [id, id], stage: 'x' })).status).toBe(400)
    const ids = (n: number) => Array.from({ length: n }, newId)
    expect((await bulk({ ids: ids(limits.leadsPerBulkChange + 1), stage: 'x' })).status).toBe(400)
    expect((await bulk({ ids: ids(limits.leadsPerBulkChange), stage: 'x' })).body).toMatchObject({
      changed: 0,
    })
    expect(refusalOf(await bulk({ ids: [id], stage: 'x' }, viewer))).toEqual([403, 'PERMISSION_DENIED'])
    const away = await bulk({ ids: [id], stage: 'x' }, stranger)
    expect(away.body).toMatchObject({ changed: 0, items: [{ errorCode: 'LEAD_NOT_FOUND' }] })
  })

  test('does not deadlock with concurrent changes in another order', async () => {
    const ids = (await Promise.all(Array.from({ length: 20 }, () => makeLead(owner)))).map(({ id }) => id)
    const answers = await Promise.all(
      [ids, ids.toReversed(), ids].map((these, at) => bulk({ ids: these, stage: `Stage ${at}` })),
    )
    expect(answers.map(({ status, body }) => [status, body.changed])).toEqual([1, 2, 3].map(() => [200, 20]))
    const stages = new Set(await Promise.all(ids.map(async id => (await rowOf(id)).stage)))
    expect(stages.size).toBe(1)
  })
})

describe('history', () => {
  const history = (id: string, query = {}, by = owner) => by.send(listLeadHistory, { params: { id }, query })

  test('lists actions and authors, latest first, without values', async () => {
    const {
      client,
      id: applicationId,
      name,
    } = await makeApplication(server, organization, {
      scopes: ['crm:leads:read', 'crm:leads:write'],
    })
    const { id } = await makeLead(client, { firstName: 'Ada' })
    await owner.call(updateLead, { params: { id }, body: { phone: '+34 600 111 222' } })
    await client.call(qualifyLead, { params: { id }, body: { reason: 'Fits', source: 'crm_sync' } })
    const { body } = await history(id)
    expect(body.items).toEqual([
      {
        id: expect.any(String),
        action: 'qualify',
        at: expect.any(String),
        changed: ['status'],
        fromStatus: 'NEW',
        toStatus: 'QUALIFIED',
        source: 'crm_sync',
        reason: 'Fits',
        actor: { kind: 'APP', id: applicationId, name },
      },
      expect.objectContaining({ action: 'update', actor: { kind: 'USER', id: owner.id, name: 'Olga' } }),
      expect.objectContaining({ action: 'create', fromStatus: null, toStatus: 'NEW' }),
    ])
    expect(body).toMatchObject({ total: 3, limit: limits.pageLimitDefault, offset: 0 })
    expect(JSON.stringify(body)).not.toMatch(/600 111|Ada/)
    const second = await history(id, { limit: 1, offset: 1 })
    expect(second.body).toMatchObject({ items: [{ action: 'update' }], total: 3, limit: 1, offset: 1 })
  })

  test('requires CRM_VIEW in the organization', async () => {
    const { id } = await makeLead(owner)
    expect((await history(id, {}, viewer)).status).toBe(200)
    const other = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect(refusalOf(await history(id, {}, other))).toEqual([403, 'PERMISSION_DENIED'])
    const [away, unknown] = [await history(id, {}, stranger), await history(newId())]
    expect([away.status, away.text]).toEqual([404, unknown.text])
    expect((await history(id, { limit: limits.pageLimit + 1 })).status).toBe(400)
  })
})
