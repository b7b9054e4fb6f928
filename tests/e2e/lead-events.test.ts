import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leadEventExamples } from '#contract/crm/lead-event-examples.ts'
import { disqualifyLead, qualifyLead, scoreLead } from '#contract/crm/lead-moves.ts'
import { createLead, updateLead } from '#contract/crm/leads.ts'
import { listOwnDeliveries, retryDelivery } from '#contract/integrations/deliveries.ts'
import { recoverDeliveries, replayEvents } from '#contract/integrations/recoveries.ts'
import { holdWebhook, resumeWebhook, setWebhook } from '#contract/integrations/webhook.ts'
import type { Scope } from '#contract/permissions.ts'
import { eraseLeadOf, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { findIn, firstOf, itemAt, lastOf } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { openWebhookFixtures, type WebhookFixtures } from '#tests/support/integrations/webhook-fixtures.ts'
import { untilDelivered } from '#tests/support/integrations/webhooks.ts'
import { until } from '#tests/support/processes.ts'
import type { Person } from '#tests/support/test-server.ts'

/** LEVT-1 to LEVT-6: which applications receive which events of leads; none receives more than its scopes allow. */

const reading: Scope[] = ['crm:leads:read', 'crm:leads:write']
const scoring: Scope[] = [...reading, 'crm:leads:read:scoring']
const withoutScore = Object.keys(leadEventExamples).filter(name => name !== 'LEAD_SCORE_UPDATED')

let { server, org, receiver } = {} as WebhookFixtures
let boss: Person
beforeAll(async () => {
  ;({ server, org, receiver } = await openWebhookFixtures())
  boss = await org.person({ role: 'OWNER' })
})
afterAll(() => Promise.all([server?.close(), receiver?.close()]))

type Hooked = TestApplication & { path: string }
type WebhookBody = { event: string; data: { leadId: string; changeId: string; [name: string]: unknown } }

/** An application that subscribes to all events of its scopes. */
async function hooked(
  scopes: Scope[],
  events = scopes === scoring ? Object.keys(leadEventExamples) : withoutScore,
) {
  const app = await makeApplication(server, org, { principal: boss, scopes })
  const path = `/${app.id}`
  await boss.call(setWebhook, { params: { id: app.id }, body: { url: `${receiver.url}${path}`, events } })
  return { ...app, path }
}
/** The events of a lead that an application received. */
const eventsOf = ({ path }: Hooked, leadId: string) =>
  receiver.received
    .filter(notice => notice.path === path)
    .map(({ body }) => JSON.parse(body) as WebhookBody)
    .filter(({ data }) => data.leadId === leadId)
const names = (app: Hooked, leadId: string) =>
  eventsOf(app, leadId)
    .map(({ event }) => event)
    .sort()
const revoke = ({ id }: Hooked) =>
  server.sql(`update application set scopes = array_remove(scopes, 'crm:leads:read:scoring') where id = $1`, [
    id,
  ])
const deliveries = ({ id }: Hooked) =>
  server.sql<{ id: string; event: string; status: string; attempts: number }>(
    'select id, event, status, attempts from webhook_delivery where application_id = $1 order by id',
    [id],
  )
const hold = ({ id }: Hooked) => boss.call(holdWebhook, { params: { id } })
const resume = ({ id }: Hooked) => boss.call(resumeWebhook, { params: { id }, body: {} as never })
const score = (id: string, value: number) => boss.call(scoreLead, { params: { id }, body: { score: value } })

describe('the recipients', () => {
  it('are all subscribed applications except the author, once per change', async () => {
    const [actor, other] = [await hooked(scoring), await hooked(scoring)]
    const { id } = await makeLead(actor.client, { phone: '+34 600 000 001', source: 'Told by a friend' })
    await actor.client.call(qualifyLead, {
      params: { id },
      body: { reason: 'Met at the fair', source: 'automation' },
    })
    await actor.client.call(scoreLead, { params: { id }, body: { score: 80, temperature: 'HOT' } })
    await actor.client.call(disqualifyLead, {
      params: { id },
      body: { reason: 'Mail came back', source: 'bounce' },
    })
    await untilDelivered(server)
    expect(names(actor, id)).toEqual([])
    expect(names(other, id)).toEqual(
      [
        'LEAD_CREATED',
        'LEAD_QUALIFIED',
        'LEAD_DISQUALIFIED',
        'LEAD_SCORE_UPDATED',
        'LEAD_UPDATED',
        'LEAD_UPDATED',
        'LEAD_UPDATED',
      ].sort(),
    )
    const by = (event: string) => findIn(eventsOf(other, id), one => one.event === event).data
    const head = { leadId: id, isConverted: false, actor: { kind: 'APP', id: actor.id } }
    expect(by('LEAD_CREATED')).toMatchObject({
      ...head,
      status: 'NEW',
      hasEmail: true,
      hasPhone: true,
      source: null,
    })
    expect(by('LEAD_QUALIFIED')).toMatchObject({
      ...head,
      status: 'QUALIFIED',
      previousStatus: 'NEW',
      reason: 'Met at the fair',
      source: 'automation',
    })
    expect(by('LEAD_DISQUALIFIED')).toMatchObject({
      ...head,
      status: 'LOST',
      previousStatus: 'QUALIFIED',
      reason: 'Mail came back',
      source: 'bounce',
    })
    expect(by('LEAD_SCORE_UPDATED')).toMatchObject({
      score: 80,
      temperature: 'HOT',
      previousScore: null,
      previousTemperature: null,
    })
    const changes = Map.groupBy(eventsOf(other, id), ({ data }) => data.changeId)
    expect([...changes.values()].map(all => all.map(({ event }) => event).sort())).toEqual(
      expect.arrayContaining([
        ['LEAD_CREATED'],
        ['LEAD_QUALIFIED', 'LEAD_UPDATED'],
        ['LEAD_SCORE_UPDATED', 'LEAD_UPDATED'],
        ['LEAD_DISQUALIFIED', 'LEAD_UPDATED'],
      ]),
    )
    expect(changes.size).toBe(4)
  })

  it('are all of them for a change by a person, each with its subscribed events only', async () => {
    const [one, another] = [await hooked(reading), await hooked(reading, ['LEAD_QUALIFIED'])]
    const { id } = await makeLead(boss)
    await boss.call(qualifyLead, { params: { id } })
    await untilDelivered(server)
    expect(names(one, id)).toEqual(['LEAD_CREATED', 'LEAD_QUALIFIED', 'LEAD_UPDATED'])
    expect(names(another, id)).toEqual(['LEAD_QUALIFIED'])
    expect(firstOf(eventsOf(another, id)).data).toMatchObject({
      actor: { kind: 'USER', id: boss.id },
      reason: null,
    })
  })

  it('exclude other organizations and applications without the scope; no change emits nothing', async () => {
    const stranger = await server.organization()
    const [away, mute] = [
      await makeApplication(server, stranger, {
        scopes: scoring,
        url: `${receiver.url}/away`,
        events: ['LEAD_CREATED'],
      }),
      await makeApplication(server, org, {
        scopes: [],
        url: `${receiver.url}/mute`,
        events: ['LEAD_CREATED'],
      }),
    ]
    const near = await hooked(reading)
    const { id, email } = await makeLead(boss, { firstName: 'Ada' })
    await boss.call(updateLead, { params: { id }, query: {}, body: { email, firstName: 'Ada' } })
    // in none of the fields that events cover
    await boss.call(updateLead, { params: { id }, query: {}, body: { company: 'Engines' } })
    await untilDelivered(server)
    expect(names(near, id)).toEqual(['LEAD_CREATED'])
    expect(await deliveries({ ...away, path: '/away' })).toEqual([])
    expect(await deliveries({ ...mute, path: '/mute' })).toEqual([])
  })

  it('receive an erasure without personal data', async () => {
    const app = await hooked(reading)
    const { id } = await makeLead(boss)
    await eraseLeadOf(boss, id)
    await untilDelivered(server)
    expect(names(app, id)).toEqual(['LEAD_CREATED', 'LEAD_ERASED'])
  })
})

describe('the data', () => {
  it('contains no e-mail, telephone, name, company or notes', async () => {
    const app = await hooked(scoring)
    const secret = 'xyzzy'
    const { id } = await boss
      .call(createLead, {
        query: {},
        body: {
          email: `${secret}@example.test`,
          phone: '+34 600 998 877',
          firstName: secret,
          lastName: secret,
          company: secret,
          notes: secret,
        },
      })
      .then(({ lead }) => lead)
    await boss.call(updateLead, {
      params: { id },
      query: {},
      body: { email: `${secret}2@example.test`, phone: null, firstName: `${secret}2`, notes: `${secret}2` },
    })
    await untilDelivered(server)
    expect(names(app, id)).toEqual(['LEAD_CREATED', 'LEAD_UPDATED'])
    expect(itemAt(eventsOf(app, id), 1).data).toMatchObject({ changes: [{ field: 'email', redacted: true }] })
    expect(JSON.stringify(eventsOf(app, id))).not.toMatch(/xyzzy|99 ?88/)
    const stored = await server.sql('select data from event where organization_id = $1', [org.id])
    expect(JSON.stringify(stored)).not.toMatch(/xyzzy|99 ?88/)
  })

  it('contains the score only with its scope; without it, a change of the score alone is not sent', async () => {
    const [knowing, other] = [await hooked(scoring), await hooked(reading)]
    const { id } = await makeLead(boss)
    await boss.call(updateLead, { params: { id }, query: {}, body: { score: 40, stage: 'Called' } })
    await score(id, 60)
    await boss.call(updateLead, { params: { id }, query: {}, body: { stage: 'Waiting' } })
    await boss.call(scoreLead, { params: { id }, body: { temperature: 'COLD' } })
    await untilDelivered(server)
    const changes = (app: Hooked) =>
      eventsOf(app, id)
        .filter(({ event }) => event === 'LEAD_UPDATED')
        .map(({ data }) => data.changes)
    const called = { field: 'stage', from: null, to: 'Called' }
    const waiting = { field: 'stage', from: 'Called', to: 'Waiting' }
    expect(changes(knowing)).toHaveLength(3)
    expect(changes(knowing)).toEqual(
      expect.arrayContaining([
        [called, { field: 'score', from: null, to: 40 }],
        [{ field: 'score', from: 40, to: 60 }],
        [waiting],
      ]),
    )
    expect(changes(other)).toHaveLength(2)
    expect(changes(other)).toEqual(expect.arrayContaining([[called], [waiting]]))
    expect(names(knowing, id).filter(name => name === 'LEAD_SCORE_UPDATED')).toHaveLength(3)
    expect(JSON.stringify(eventsOf(other, id))).not.toMatch(/score|temperature|COLD/)
  })
})

describe('an event after its scope was removed', () => {
  const scoreOnly = ['LEAD_UPDATED', 'LEAD_SCORE_UPDATED']

  it('is not sent if the scope is removed before delivery', async () => {
    const app = await hooked(scoring)
    const { id } = await makeLead(boss)
    await untilDelivered(server)
    await hold(app)
    await score(id, 10)
    await boss.call(updateLead, { params: { id }, query: {}, body: { stage: 'Called' } })
    await server.relayed()
    await revoke(app)
    await resume(app)
    await untilDelivered(server)
    expect(names(app, id)).toEqual(['LEAD_CREATED', 'LEAD_UPDATED'])
    expect(JSON.stringify(eventsOf(app, id))).not.toMatch(/score/)
    expect((await deliveries(app)).map(({ event, status }) => [event, status]).sort()).toEqual([
      ['LEAD_CREATED', 'DELIVERED'],
      ['LEAD_SCORE_UPDATED', 'NOT_AUTHORIZED'],
      ['LEAD_UPDATED', 'DELIVERED'],
      ['LEAD_UPDATED', 'NOT_AUTHORIZED'],
    ])
    // an application that gets the scope later receives the version without the score
    const late = await hooked(reading)
    await hold(late)
    await boss.call(updateLead, { params: { id }, query: {}, body: { score: 20, stage: 'Waiting' } })
    await server.relayed()
    await server.sql('update application set scopes = $2 where id = $1', [late.id, scoring])
    await resume(late)
    await untilDelivered(server)
    expect(names(late, id)).toEqual(['LEAD_UPDATED'])
  })

  it('is not retried, redelivered or readable', async () => {
    const app = await hooked(scoring)
    const { id } = await makeLead(boss)
    await untilDelivered(server)
    receiver.replyWith(500, app.path)
    await score(id, 30)
    // the first attempts fail; the scope is removed before the next ones
    await until('both failed once', async () => {
      const rows = await deliveries(app)
      return rows.filter(({ attempts, status }) => attempts === 1 && status === 'PENDING').length === 2
    })
    await revoke(app)
    receiver.replyWith(204, app.path)
    const before = eventsOf(app, id).length
    await untilDelivered(server)
    expect(eventsOf(app, id)).toHaveLength(before)
    const refused = (await deliveries(app)).filter(({ status }) => status === 'NOT_AUTHORIZED')
    expect(refused.map(({ event }) => event).sort()).toEqual([...scoreOnly].sort())
    for (const { id: deliveryId } of refused) {
      expect(await boss.send(retryDelivery, { params: { id: app.id, deliveryId } })).toMatchObject({
        status: 409,
        body: { errorCode: 'DELIVERY_NOT_AUTHORIZED' },
      })
    }
    await untilDelivered(server)
    const body = {
      since: new Date(Date.now() - 60_000).toISOString(),
      status: 'NOT_AUTHORIZED',
      perSecond: 100,
    } as const
    const { count } = await boss.call(recoverDeliveries, { params: { id: app.id }, body })
    expect(count).toBe(2)
    await untilDelivered(server)
    expect(eventsOf(app, id)).toHaveLength(before)
    expect((await deliveries(app)).filter(({ status }) => status === 'NOT_AUTHORIZED')).toHaveLength(2)
    const last = lastOf(await deliveries(app)).id
    const read = () => app.client.call(listOwnDeliveries, { query: {} })
    await until('all can be read', async () => (await read()).nextAfter === last)
    const { items } = await read()
    expect(items.map(({ event }) => event)).toEqual(['LEAD_CREATED'])
  })

  it('is not replayed to the application, but to others with the scope', async () => {
    const { id } = await makeLead(boss)
    const [knowing, other] = [await hooked(scoring), await hooked(reading)]
    for (const app of [knowing, other])
      await server.sql(`update webhook_endpoint set events = '{}' where application_id = $1`, [app.id])
    await boss.call(updateLead, { params: { id }, query: {}, body: { score: 5, stage: 'Called' } })
    await score(id, 6)
    await server.relayed()
    for (const app of [knowing, other]) {
      const events = app === knowing ? scoreOnly : ['LEAD_UPDATED']
      await server.sql('update webhook_endpoint set events = $2 where application_id = $1', [app.id, events])
      await boss.call(replayEvents, { params: { id: app.id }, body: { perSecond: 100 } })
    }
    await untilDelivered(server)
    const changes = (app: Hooked) =>
      eventsOf(app, id)
        .filter(({ event }) => event === 'LEAD_UPDATED')
        .map(({ data }) => (data.changes as { field: string }[]).map(({ field }) => field).join())
        .sort()
    expect(changes(knowing)).toEqual(['score', 'stage,score'])
    expect(changes(other)).toEqual(['stage'])
    expect(names(other, id)).toEqual(['LEAD_UPDATED'])
  })
})
