import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInvoiceOfBudget, listUninvoicedBudgets } from '#contract/billing/budgets.ts'
import { readOverview } from '#contract/identity/overview.ts'
import { removeApplication } from '#contract/integrations/applications.ts'
import { requestCriticalScopes } from '#contract/integrations/critical-scopes.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { plantPayment } from '#tests/support/billing/payments.ts'
import { createAgentFixture, propose } from '#tests/support/chat/agents.ts'
import { createTestChannel, sendMessage } from '#tests/support/chat/chat.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { insertLeads } from '#tests/support/crm/many-leads.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, firstOf, itemAt, mapAll } from '#tests/support/elements.ts'
import { createReporter, reportTestError } from '#tests/support/error-reports/reports.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { insertDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import { approveEntry, makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import { insertCopies, insertRows, secondsAgo } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('each part needs its module, its capability and its permission', async () => {
  const partsOf = async (plan: 'FREE' | 'TEAM' | 'ENTERPRISE', role: 'OWNER' | 'MEMBER') => {
    const person = await (await server.organization({ plan })).person({ role })
    return Object.keys(await person.call(readOverview)).sort()
  }
  expect(await partsOf('FREE', 'OWNER')).toEqual(['chat', 'proposals'])
  expect(await partsOf('TEAM', 'MEMBER')).toEqual(['budgets', 'chat'])
  expect(await partsOf('TEAM', 'OWNER')).toEqual(['budgets', 'chat', 'errors', 'proposals', 'webhooks'])
  expect(await partsOf('ENTERPRISE', 'MEMBER')).toEqual(['budgets', 'chat', 'leads'])
  expect(await partsOf('ENTERPRISE', 'OWNER')).toEqual([
    'budgets',
    'chat',
    'differences',
    'errors',
    'invoices',
    'leads',
    'proposals',
    'webhooks',
  ])
  const nobody = await (await server.organization()).person({ permissions: ['STUDIO_VIEW'] })
  expect(await nobody.call(readOverview)).toEqual({})
})

test('counts leads, budgets, webhooks and errors', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const other = await organization.person()
  const [old] = [await makeLead(owner, { assigneeId: owner.id })]
  await makeLead(owner, { assigneeId: owner.id })
  const [foreign] = [await makeLead(owner, { assigneeId: other.id })]
  await server.sql(
    `begin; alter table lead disable trigger refuse_unstamped_lead;
     update lead set updated_at = now() - interval '8 days' where id in ('${old.id}', '${foreign.id}');
     alter table lead enable trigger refuse_unstamped_lead; commit`,
  )
  const [signed, ending, later] = [await makeBudget(owner), await makeBudget(owner), await makeBudget(owner)]
  await makeBudget(owner)
  await server.sql(`update budget set status = 'SIGNED', signed_at = now() where id = $1`, [signed.id])
  const days = [[ending.id, limits.overviewDays] as const, [later.id, limits.overviewDays + 1] as const]
  for (const [id, ahead] of days)
    await server.sql(
      `update budget set status = 'SENT', valid_until = (now() at time zone 'UTC')::date + $2::int where id = $1`,
      [id, ahead],
    )
  const hooks = await mapAll(['http://127.0.0.1:1/a', 'http://127.0.0.1:1/b'], url =>
    makeApplication(server, organization, { principal: owner, url }),
  )
  await server.sql(
    `update webhook_endpoint set status = 'HELD', paused_at = now() where application_id = $1`,
    [hooks[0].id],
  )
  await server.sql('update webhook_endpoint set failed_in_row = 2 where application_id = $1', [hooks[1].id])
  const statuses = ['FAILED', 'FAILED', 'DELIVERED']
  await insertDeliveries(server, hooks[1], statuses.map(newId), n => ({
    event: 'LEAD_CREATED',
    status: statuses[n - 1],
  }))
  const reporters = [await createReporter(server, organization), await createReporter(server, organization)]
  for (const reporter of reporters) await reportTestError(reporter)
  // the list of errors leaves out those of a deleted application, too
  await owner.call(removeApplication, { params: { id: itemAt(reporters, 1).id } })

  const overview = await owner.call(readOverview)
  expect(overview).toMatchObject({
    leads: { untouched: 1, oldestAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    budgets: { signed: 1, ending: 1 },
    webhooks: { paused: 1, failing: 1, failedDeliveries: 2 },
    errors: { new: 1, unresolved: 1 },
  })
})

test('a count ends at its limit, over all webhooks together', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const hooks = await Promise.all(
    ['http://127.0.0.1:1/a', 'http://127.0.0.1:1/b'].map(url =>
      makeApplication(server, organization, { principal: owner, url }),
    ),
  )
  for (const hook of hooks) {
    const ids = Array.from({ length: limits.overviewCount / 2 + 1 }, newId)
    await insertDeliveries(server, hook, ids, () => ({ event: 'LEAD_CREATED', status: 'FAILED' }))
  }
  const { webhooks } = await owner.call(readOverview)
  expect(webhooks).toMatchObject({ failedDeliveries: limits.overviewCount })
})

test('counts signed budgets without an invoice for a caller who may read invoices, others those signed lately', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const seller = await organization.person({ permissions: ['CRM_VIEW'] })
  const signed = [await makeBudget(owner), await makeBudget(owner), await makeBudget(owner)]
  const ids = signed.map(({ id }) => id)
  await server.sql(`update budget set status = 'SIGNED', signed_at = now() where id = any($1)`, [ids])
  await server.sql(`update budget set signed_at = now() - interval '31 days' where id = $1`, [ids[2]])
  const counts = async () => {
    const [mine, theirs] = [await owner.call(readOverview), await seller.call(readOverview)]
    const { total } = await owner.call(listUninvoicedBudgets)
    return [defined(mine.budgets).signed, total, defined(theirs.budgets).signed]
  }
  expect(await counts()).toEqual([3, 3, 2])
  await owner.call(createInvoiceOfBudget, { params: { budgetId: firstOf(ids) }, body: {} })
  expect(await counts()).toEqual([2, 2, 2])
})

test('counts the requests for critical scopes that wait, for operators alone', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const operator = await server.operator()
  const count = async () => defined((await operator.call(readOverview)).scopeRequests)
  const before = await count()
  const { id } = await makeApplication(server, organization, { principal: owner })
  await owner.call(requestCriticalScopes, {
    params: { id },
    body: { scopes: ['billing:refund'], purpose: 'Our website converts leads that buy' },
  })
  expect(await count()).toBe(before + 1)
  expect(await owner.call(readOverview)).not.toHaveProperty('scopeRequests')
})

test('counts the submissions that wait in the review queue, for operators alone', async () => {
  const author = await (await server.organization({ features: ['marketplace'] })).person({ role: 'OWNER' })
  const operator = await server.operator()
  const count = async () => defined((await operator.call(readOverview)).submissions)
  const before = await count()
  const entry = await makeSubmission(author)
  expect(await count()).toBe(before + 1)
  await approveEntry(operator, author, entry)
  expect(await count()).toBe(before)
  expect(await author.call(readOverview)).not.toHaveProperty('submissions')
})

test('adds up what is due by currency and age, and what was collected this month', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const application = await makeApplication(server, organization, { principal: owner })
  const due = async (daysAgo: number, totalCents: number, currency = 'eur') => {
    const { id } = await plantInvoice(server, application, { totalCents, currency })
    await server.sql(
      `update invoice set due_date = (now() at time zone 'UTC')::date - $2::int where id = $1`,
      [id, daysAgo],
    )
    return id
  }
  const [notDue] = [await due(0, 1_000)]
  await due(1, 200)
  await due(30, 30)
  await due(31, 4)
  await due(61, 50_000, 'usd')
  const of = { organizationId: organization.id, invoiceId: notDue }
  const paymentId = await plantPayment(server, { ...of, cents: 100 })
  await server.sql('update invoice set paid_cents = 100 where id = $1', [notDue])
  const now = new Date()
  const beforeThisMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) - 60_000)
  const entries = [
    { kind: 'PAYMENT', amount_cents: 100, at: now },
    { kind: 'REFUND', amount_cents: -40, at: now },
    { kind: 'PAYMENT', amount_cents: 7, at: beforeThisMonth },
  ]
  await insertRows(
    server,
    'ledger_entry',
    entries.map(entry => ({
      ...entry,
      organization_id: organization.id,
      invoice_id: notDue,
      payment_id: paymentId,
    })),
  )
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  expect((await owner.call(readOverview)).invoices).toEqual({
    overdue: 4,
    oldestDueDate: day(61),
    overdueAmounts: [
      { currency: 'eur', cents: 234 },
      { currency: 'usd', cents: 50_000 },
    ],
    dueByAge: [
      { currency: 'eur', notDueCents: 900, to30Cents: 230, to60Cents: 4, over60Cents: 0 },
      { currency: 'usd', notDueCents: 0, to30Cents: 0, to60Cents: 0, over60Cents: 50_000 },
    ],
    collectedThisMonth: [{ currency: 'eur', cents: 60 }],
    areSumsPartial: false,
  })
})

test('counts unread mentions and channels of the caller, and proposals that they may approve', async () => {
  const fixture = await createAgentFixture(server)
  const { owner, member, channelId } = fixture
  await propose(fixture)
  await sendMessage(owner, channelId, `Look, <@${member.id}>`)
  await sendMessage(owner, channelId)
  const { id: quiet } = await createTestChannel(owner, { memberIds: [member.id] })
  await sendMessage(member, quiet)
  expect(await member.call(readOverview)).toMatchObject({
    chat: { mentions: 1, channels: 1 },
    proposals: 0,
  })
  expect(await owner.call(readOverview)).toMatchObject({ chat: { mentions: 0, channels: 1 }, proposals: 1 })
})

test('costs little with 10,000 leads and 10,000 invoices', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const application = await makeApplication(server, organization, { principal: owner })
  const { id } = await plantInvoice(server, application)
  const many = limits.overviewCount + 1
  await insertLeads(server, organization.id, many, () => ({
    assignee_id: owner.id,
    updated_at: secondsAgo(9 * 86_400),
  }))
  await insertCopies(server, 'invoice', { id }, many, n => ({
    id: `invoice${n}`,
    number: `X${n}`,
    series: null,
    lines: [],
    taxes: [],
    due_date: secondsAgo(Math.trunc(n / 100) * 86_400),
  }))
  await server.sql('analyze lead, invoice')
  const times: number[] = []
  for (let n = 0; n < 12; n++) {
    const startedAt = performance.now()
    const overview = await owner.call(readOverview)
    times.push(performance.now() - startedAt)
    expect(overview).toMatchObject({
      leads: { untouched: limits.overviewCount },
      invoices: { areSumsPartial: true },
    })
  }
  const median = itemAt(
    times.sort((a, b) => a - b),
    6,
  )
  process.stdout.write(`overview of 10,000 leads and 10,000 invoices: ${median.toFixed(1)} ms\n`)
  // HOM-3
  expect(median).toBeLessThanOrEqual(50 * crowd())
})
