import { expect, it } from 'vitest'
import type { ServerHealth } from '../health/health.rules.ts'
import { operatorWaiting } from './waiting.ts'

const health: ServerHealth = {
  at: '2026-11-23T12:00:00.000Z',
  version: '1.0.0',
  relay: { pending: 0, oldestSeconds: 0, quarantined: 1, leases: 1, freeLeases: 0 },
  webhooks: {
    endpointsBehind: 0,
    oldestDueSeconds: 0,
    shardsWithoutOwner: 0,
    pausedEndpoints: 0,
    scheduledDeliveries: 0,
  },
  mails: { queued: 0, oldestAt: null, failing: 0, refused: 3 },
  payments: { stuckCharges: 0, stuckRefunds: 0 },
  jobs: [],
  disks: [],
  database: { bytes: 1, connections: [] },
}

it('lists what waits, the most urgent first, and counts refused mails once', () => {
  const lines = operatorWaiting({ overview: { scopeRequests: 2 }, submissions: 4, reports: 0, health })
  expect(lines).toEqual([
    { kind: 'health', count: 1, route: '/operator/health', isBad: true },
    { kind: 'scopes', count: 2, route: '/operator/scopes' },
    { kind: 'submissions', count: 4, route: '/operator/submissions' },
    { kind: 'mails', count: 3, route: '/operator/mails', search: '?state=REFUSED' },
  ])
})

it('has no line for what is not known yet', () => {
  const nothing = { overview: undefined, submissions: undefined, reports: undefined, health: undefined }
  expect(operatorWaiting(nothing)).toEqual([])
})
