import { afterAll, beforeAll, expect, test } from 'vitest'
import { listInbox, markInboxDone } from '#contract/identity/inbox.ts'
import { limits } from '#contract/limits.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { plantCharge } from '#tests/support/billing/payments.ts'
import { createAgentFixture, propose } from '#tests/support/chat/agents.ts'
import { sendMessage } from '#tests/support/chat/chat.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { firstOf, itemAt } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { plantInboxMarks } from '#tests/support/many-rows.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const inboxOf = async (person: Person) => (await person.call(listInbox)).items

test('lists mentions and proposals, which disappear when they are decided', async () => {
  const fixture = await createAgentFixture(server)
  const { owner, member, channelId, source } = fixture
  const agent = await propose(fixture)
  const message = await sendMessage(owner, channelId, `Look, <@${member.id}>`)
  expect(await inboxOf(owner)).toEqual([
    {
      id: `AGENT_PROPOSED:${agent.id}`,
      kind: 'AGENT_PROPOSED',
      at: agent.proposedAt,
      subjectId: agent.id,
      parentId: channelId,
      title: agent.name,
      actorName: source.name,
      detail: null,
    },
  ])
  expect(await inboxOf(member)).toEqual([
    {
      id: `MENTION:${message.id}`,
      kind: 'MENTION',
      at: message.createdAt,
      subjectId: message.id,
      parentId: channelId,
      title: null,
      actorName: 'Ada Marsh',
      detail: null,
    },
  ])
  await server.sql(`update chat_agent set status = 'REJECTED', status_reason = 'REJECTED' where id = $1`, [
    agent.id,
  ])
  expect(await inboxOf(owner)).toEqual([])
})

test('lists leads that others assigned, answered budgets, failed charges and paused webhooks, newest first', async () => {
  const organization = await server.organization()
  const [owner, member] = [await organization.person({ role: 'OWNER' }), await organization.person()]
  const lead = await makeLead(owner, { firstName: 'Sara', lastName: 'Vidal', assigneeId: member.id })
  await makeLead(member, { assigneeId: member.id })
  const [signed, declined] = [
    await makeBudget(owner, { ownerId: member.id }),
    await makeBudget(owner, { ownerId: member.id }),
  ]
  await makeBudget(owner, { ownerId: owner.id })
  await server.sql(
    `update budget set status = 'SIGNED', signed_at = now() + interval '1 second' where id = $1`,
    [signed.id],
  )
  await server.sql(
    `update budget set status = 'DECLINED', declined_at = now() + interval '2 seconds', decline_reason = 'Too dear' where id = $1`,
    [declined.id],
  )
  expect(await inboxOf(member)).toMatchObject([
    { kind: 'BUDGET_DECLINED', subjectId: declined.id, detail: 'Too dear' },
    { kind: 'BUDGET_SIGNED', subjectId: signed.id, title: `${signed.code} ${signed.title}` },
    { kind: 'LEAD_ASSIGNED', subjectId: lead.id, title: 'Sara Vidal', actorName: owner.name },
  ])

  const application = await makeApplication(server, organization, {
    principal: owner,
    url: 'http://127.0.0.1:1/',
  })
  await server.sql(
    `update webhook_endpoint set status = 'HELD', paused_at = now(), paused_reason = 'FAILING' where application_id = $1`,
    [application.id],
  )
  const invoice = await plantInvoice(server, application)
  const accountId = await plantAccount(server, organization.id)
  await plantCharge(server, {
    organizationId: organization.id,
    invoiceId: invoice.id,
    applicationId: application.id,
    accountId,
    state: 'FAILED',
    amountCents: 100,
    failureCode: 'card_declined',
    endedAt: new Date(Date.now() + 3_000),
  })
  const items = await inboxOf(owner)
  expect(items).toMatchObject([
    {
      kind: 'CHARGE_FAILED',
      subjectId: invoice.id,
      title: invoice.number,
      actorName: application.name,
      detail: 'card_declined',
    },
    { kind: 'WEBHOOK_PAUSED', subjectId: application.id, title: application.name, detail: 'FAILING' },
  ])
  // a webhook that is paused again is a new item
  await owner.call(markInboxDone, { body: { itemId: itemAt(items, 1).id } })
  expect((await inboxOf(owner)).map(({ kind }) => kind)).toEqual(['CHARGE_FAILED'])
  await server.sql(
    `update webhook_endpoint set paused_at = now() + interval '1 second' where application_id = $1`,
    [application.id],
  )
  expect((await inboxOf(owner)).map(({ kind }) => kind)).toEqual(['CHARGE_FAILED', 'WEBHOOK_PAUSED'])
})

test('done items stay away, one by one or until a time, for the person alone', async () => {
  const fixture = await createAgentFixture(server)
  const { owner, member, channelId, organization } = fixture
  const both = `<@${member.id}> <@${owner.id}>`
  const sent: { id: string; createdAt: string }[] = []
  for (let n = 0; n < 3; n++) {
    const { id } = await sendMessage(owner, channelId, both)
    const createdAt = new Date(Date.now() - (4 - n) * 1_000).toISOString()
    await server.sql('update chat_message set created_at = $2 where id = $1', [id, createdAt])
    sent.unshift({ id, createdAt })
  }
  const idsOf = async (person: Person) => (await inboxOf(person)).map(({ subjectId }) => subjectId)
  const done = (body: object) => member.send(markInboxDone, { body: body as never })
  expect(await idsOf(member)).toEqual(sent.map(({ id }) => id))
  for (let time = 0; time < 2; time++)
    expect((await done({ itemId: `MENTION:${firstOf(sent).id}` })).status).toBe(204)
  expect(await idsOf(member)).toEqual([itemAt(sent, 1).id, itemAt(sent, 2).id])
  await done({ until: itemAt(sent, 2).createdAt })
  expect(await idsOf(member)).toEqual([itemAt(sent, 1).id])
  // neither back in time nor beyond the present
  await done({ until: '2020-01-01T00:00:00.000Z' })
  expect(await idsOf(member)).toEqual([itemAt(sent, 1).id])
  await done({ until: '2999-01-01T00:00:00.000Z' })
  expect(await idsOf(member)).toEqual([])
  const later = await sendMessage(owner, channelId, both)
  expect(await idsOf(member)).toEqual([later.id])
  const stranger = await organization.person()
  expect(await idsOf(stranger)).toEqual([])
  for (const body of [{}, { itemId: 'MENTION:x', until: later.createdAt }, { itemId: 'MENTION:x y' }])
    expect(refusalOf(await done(body))).toEqual([400, 'VALIDATION_ERROR'])
})

test('a person has at most 1,000 marks: a new one replaces the oldest', async () => {
  const person = await (await server.organization()).person()
  await plantInboxMarks(server, person, limits.inboxMarks)
  await person.call(markInboxDone, { body: { itemId: 'MENTION:new' } })
  const rows = await server.sql<{ item: string }>('select item from inbox_done where person_id = $1', [
    person.id,
  ])
  expect(rows).toHaveLength(limits.inboxMarks)
  expect(rows.map(({ item }) => item)).not.toContain(`MENTION:${limits.inboxMarks}`)
})
