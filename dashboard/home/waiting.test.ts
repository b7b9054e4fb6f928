import { expect, test } from 'vitest'
import { subjectOf } from './subject.ts'
import { totalDue, waitingOf } from './waiting.ts'

test('lists what waits, the most urgent first, and leaves out zeros and what the caller may not see', () => {
  const lines = waitingOf(
    {
      leads: { untouched: 4, oldestAt: '2026-11-02T09:00:00.000Z' },
      differences: 0,
      webhooks: { paused: 1, failing: 2, failedDeliveries: 212 },
      invoices: {
        overdue: 3,
        oldestDueDate: '2026-10-12',
        overdueAmounts: [{ currency: 'EUR', cents: 911_435 }],
        dueByAge: [],
        collectedThisMonth: [],
        areSumsPartial: false,
      },
    },
    'p-1',
  )
  expect(lines.map(({ kind, count }) => [kind, count])).toEqual([
    ['overdue', 3],
    ['untouched', 4],
    ['webhooks', 3],
  ])
  expect(lines[0]).toMatchObject({ since: '2026-10-12', amounts: [{ currency: 'EUR', cents: 911_435 }] })
  expect(lines[1]).toMatchObject({ search: '?assigneeId=p-1&orderBy=updatedAt&order=asc' })
  expect(lines[2]).toMatchObject({ also: 212, route: 'deliveries', search: '?status=FAILED&time=24h' })
})

test('signed budgets wait for their invoice if the caller may read invoices; scope requests wait for operators', () => {
  const budgets = { signed: 2, ending: 0 }
  const kinds = (overview: Parameters<typeof waitingOf>[0]) =>
    waitingOf(overview, 'p-1').map(({ kind }) => kind)
  expect(kinds({ budgets, scopeRequests: 1, submissions: 2 })).toEqual([
    'scopeRequests',
    'submissions',
    'signed',
  ])
  const invoices = {
    overdue: 0,
    oldestDueDate: null,
    overdueAmounts: [],
    dueByAge: [],
    collectedThisMonth: [],
    areSumsPartial: false,
  }
  expect(kinds({ budgets, invoices })).toEqual(['uninvoiced'])
})

test('the sum that is due contains every age', () => {
  expect(
    totalDue({ currency: 'EUR', notDueCents: 1, to30Cents: 20, to60Cents: 300, over60Cents: 4_000 }),
  ).toBe(4_321)
})

test('an item of the inbox leads to its message, agent or webhook, or to the open row of its list', () => {
  const of = (kind: Parameters<typeof subjectOf>[0]['kind']) =>
    subjectOf({ kind, subjectId: 's 1', parentId: 'c1' })
  expect(of('MENTION')).toEqual({
    route: 'channels/$channelId',
    search: '?message=s%201',
    params: { channelId: 'c1' },
  })
  expect(of('AGENT_PROPOSED')).toMatchObject({ route: 'agents/$agentId', params: { agentId: 's 1' } })
  expect(of('WEBHOOK_PAUSED')).toMatchObject({ route: 'applications/$applicationId/webhook' })
  expect(of('CHARGE_FAILED')).toMatchObject({ route: 'invoices', search: '?open=s%201' })
})
