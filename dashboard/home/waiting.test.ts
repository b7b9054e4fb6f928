import { expect, test } from 'vitest'
import { totalDue, waitingOf } from './waiting.ts'

test('lists what waits, the most urgent first, and leaves out zeros and what the caller may not see', () => {
  const lines = waitingOf({
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
  })
  expect(lines.map(({ kind, count }) => [kind, count])).toEqual([
    ['overdue', 3],
    ['untouched', 4],
    ['webhooks', 3],
  ])
  expect(lines[0]).toMatchObject({ since: '2026-10-12', amounts: [{ currency: 'EUR', cents: 911_435 }] })
  expect(lines[2]).toMatchObject({ also: 212 })
})

test('signed budgets wait for their invoice if the caller may read invoices; scope requests wait for operators', () => {
  const budgets = { signed: 2, ending: 0 }
  const kinds = (overview: Parameters<typeof waitingOf>[0]) => waitingOf(overview).map(({ kind }) => kind)
  expect(kinds({ budgets, scopeRequests: 1 })).toEqual(['scopeRequests', 'signed'])
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
