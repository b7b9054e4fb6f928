import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disqualifyLead, qualifyLead, scoreLead } from '#contract/crm/lead-moves.ts'
import { readLead, updateLead } from '#contract/crm/leads.ts'
import { type LeadStatus, leadStatuses } from '#contract/crm/shapes.ts'
import type { Client } from '#sdk/client.ts'
import { eventsOfLead, makeLead, setStatus } from '#tests/support/crm/leads-and-clients.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'

// LEAD-20 to LEAD-25: every operation in every status, by applications and by people

let server: TestServer
let organization: Organization
const callers: Record<'people' | 'application', { client: Client; actor: string }> = {} as never
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  const person = await organization.person()
  const app = await makeApplication(server, organization, {
    scopes: ['crm:leads:read', 'crm:leads:write', 'crm:leads:read:scoring'],
  })
  callers.people = { client: person, actor: person.id }
  callers.application = { client: app.client, actor: app.id }
})
afterAll(() => server?.close())

const acts = {
  qualify: (client: Client, id: string) =>
    client.send(qualifyLead, { params: { id }, body: { reason: ' Met ', source: 'manual' } }),
  disqualify: (client: Client, id: string) =>
    client.send(disqualifyLead, { params: { id }, body: { reason: 'Mail came back', source: 'bounce' } }),
  update: (client: Client, id: string) =>
    client.send(updateLead, { params: { id }, body: { stage: 'Demo' } }),
  score: (client: Client, id: string) => client.send(scoreLead, { params: { id }, body: { score: 70 } }),
}
type From = LeadStatus | 'DISQUALIFIED'
/** The resulting status, or the error code. */
const outcomes: Record<keyof typeof acts, Record<From, string>> = {
  qualify: {
    NEW: 'QUALIFIED',
    CONTACTED: 'LEAD_ALREADY_QUALIFIED',
    QUALIFIED: 'LEAD_ALREADY_QUALIFIED',
    NEGOTIATING: 'LEAD_ALREADY_QUALIFIED',
    LOST: 'LEAD_ALREADY_LOST',
    DISQUALIFIED: 'LEAD_ALREADY_LOST',
    WON: 'LEAD_ALREADY_CONVERTED',
  },
  disqualify: {
    NEW: 'LOST',
    CONTACTED: 'LOST',
    QUALIFIED: 'LOST',
    NEGOTIATING: 'LOST',
    LOST: 'LEAD_ALREADY_LOST',
    DISQUALIFIED: 'LEAD_ALREADY_DISQUALIFIED',
    WON: 'LEAD_ALREADY_CONVERTED',
  },
  ...Object.fromEntries(
    ['update', 'score'].map(act => [
      act,
      {
        ...Object.fromEntries(leadStatuses.map(status => [status, status])),
        DISQUALIFIED: 'LOST',
        WON: 'LEAD_ALREADY_CONVERTED',
      },
    ]),
  ),
} as never
const events: Record<keyof typeof acts, string[]> = {
  qualify: ['LEAD_QUALIFIED', 'LEAD_UPDATED'],
  disqualify: ['LEAD_DISQUALIFIED', 'LEAD_UPDATED'],
  update: ['LEAD_UPDATED'],
  score: ['LEAD_UPDATED', 'LEAD_SCORE_UPDATED'],
}

describe.each(['people', 'application'] as const)('by %s', caller => {
  const rows = Object.entries(outcomes).flatMap(([act, byStatus]) =>
    Object.entries(byStatus).map(([from, to]) => [act, from, to] as [keyof typeof acts, From, string]),
  )

  test.each(rows)('%s of a lead that is %s: %s', async (act, from, to) => {
    const { client, actor } = callers[caller]
    const { id } = await makeLead(client)
    if (from === 'DISQUALIFIED') await setStatus(server, organization.id, id, 'LOST', 'DISQUALIFY')
    else if (from !== 'NEW') await setStatus(server, organization.id, id, from)
    const before = await client.call(readLead, { params: { id } })
    const answer = await acts[act](client, id)
    const after = await client.call(readLead, { params: { id } })
    const emitted = (await eventsOfLead(server, id)).slice(1)
    if (to.startsWith('LEAD_')) {
      expect(refusalOf(answer)).toEqual([409, to])
      expect(after).toEqual(before)
      expect(emitted).toEqual([])
      return
    }
    expect(answer.status).toBe(200)
    const { lead, changed, recordedAt } = answer.body
    expect({ changed, recordedAt, status: lead.status }).toEqual({
      changed: true,
      recordedAt: after.updatedAt,
      status: to,
    })
    expect(after).toMatchObject({ status: to, isConverted: false })
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect(emitted.map(({ name, actor_id }) => [name, actor_id])).toEqual(
      events[act].map(name => [name, actor]),
    )
    expect(new Set(emitted.map(({ data }) => data.changeId)).size).toBe(1)
  })

  test('the reason and source of a decision are emitted and stored', async () => {
    const { client } = callers[caller]
    const { id } = await makeLead(client)
    const { lead } = (await acts.qualify(client, id)).body
    expect(lead.qualifiedAt).toBe(lead.updatedAt)
    const lost = (await acts.disqualify(client, id)).body.lead
    expect(lost).toMatchObject({ qualifiedAt: lead.qualifiedAt, lostAt: lost.updatedAt })
    const emitted = await eventsOfLead(server, id)
    expect(
      emitted.map(({ data: { reason, source, previousStatus } }) => [previousStatus, reason, source]),
    ).toEqual([
      [undefined, undefined, null],
      ['NEW', 'Met', 'manual'],
      [undefined, undefined, 'manual'],
      ['QUALIFIED', 'Mail came back', 'bounce'],
      [undefined, undefined, 'bounce'],
    ])
    const changes = await server.sql(
      'select action, from_status, to_status, reason, changed from lead_change where lead_id = $1 order by at',
      [id],
    )
    expect(changes.slice(1)).toEqual([
      { action: 'qualify', from_status: 'NEW', to_status: 'QUALIFIED', reason: 'Met', changed: ['status'] },
      {
        action: 'disqualify',
        from_status: 'QUALIFIED',
        to_status: 'LOST',
        reason: 'Mail came back',
        changed: ['status'],
      },
    ])
  })
})

test('only disqualify accepts the source bounce', async () => {
  const { client } = callers.application
  const { id } = await makeLead(client)
  const answer = await client.send(qualifyLead, { params: { id }, body: { source: 'bounce' as never } })
  expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
})

test('of twenty concurrent decisions one succeeds', async () => {
  const { client } = callers.people
  const { id } = await makeLead(client)
  const answers = await Promise.all(Array.from({ length: 20 }, () => acts.qualify(client, id)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
})

test('a repetition with the same Idempotency-Key gets the same reply, and no event is emitted twice', async () => {
  const { client } = callers.application
  const { id } = await makeLead(client)
  const send = () =>
    client.send(qualifyLead, { params: { id }, body: {}, headers: { 'Idempotency-Key': `qualify ${id}` } })
  const [first, again] = [await send(), await send()]
  expect([again.status, again.text]).toEqual([200, first.text])
  expect(await eventsOfLead(server, id)).toHaveLength(3)
  const other = await makeLead(client)
  const elsewhere = await client.send(qualifyLead, {
    params: { id: other.id },
    body: {},
    headers: { 'Idempotency-Key': `qualify ${id}` },
  })
  expect(refusalOf(elsewhere)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})
