import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checksOf, type HealthCheckId, jobState, type ServerHealth, worstOf } from './health.rules.ts'
import { jobTexts } from './job.words.ts'

const at = '2026-11-23T12:00:00.000Z'
const before = (seconds: number) => new Date(Date.parse(at) - seconds * 1_000).toISOString()
const well: ServerHealth = {
  at,
  version: '1.0.0',
  relay: { pending: 3, oldestSeconds: 0.2, quarantined: 0, leases: 1, freeLeases: 0 },
  webhooks: {
    endpointsBehind: 0,
    oldestDueSeconds: 0,
    shardsWithoutOwner: 0,
    pausedEndpoints: 1,
    scheduledDeliveries: 2,
  },
  mails: { queued: 0, oldestAt: null, failing: 0, refused: 0 },
  payments: { stuckCharges: 0, stuckRefunds: 0 },
  jobs: [
    {
      name: 'send mails',
      ranAt: before(61),
      succeededAt: before(61),
      failedAt: before(86_400),
      error: 'connection refused',
    },
  ],
  disks: [{ folder: 'DATA', freeBytes: 50, totalBytes: 100 }],
  database: { bytes: 1, connections: [] },
}
const problemsOf = (part: Partial<ServerHealth>): Partial<Record<HealthCheckId, string>> =>
  Object.fromEntries(
    checksOf({ ...well, ...part })
      .filter(({ state }) => state !== 'good')
      .map(({ id, state }) => [id, state]),
  )

it('finds nothing wrong with a server that is well', () => {
  expect(problemsOf({})).toEqual({})
})

it.each<[Partial<ServerHealth>, object]>([
  [{ relay: { ...well.relay, oldestSeconds: 6 } }, { relay: 'watch' }],
  [{ relay: { ...well.relay, freeLeases: 1 } }, { relay: 'watch' }],
  [{ relay: { ...well.relay, oldestSeconds: 61, quarantined: 1 } }, { relay: 'bad', quarantine: 'bad' }],
  [{ webhooks: { ...well.webhooks, oldestDueSeconds: 31 } }, { deliveries: 'watch' }],
  [
    { webhooks: { ...well.webhooks, oldestDueSeconds: 301, shardsWithoutOwner: 4 } },
    { deliveries: 'bad', workers: 'bad' },
  ],
  [{ mails: { ...well.mails, queued: 1, oldestAt: before(200) } }, {}],
  [{ mails: { ...well.mails, queued: 1, oldestAt: before(200), failing: 1 } }, { mailQueue: 'watch' }],
  [{ mails: { ...well.mails, queued: 1, oldestAt: before(3_700) } }, { mailQueue: 'bad' }],
  [{ mails: { ...well.mails, refused: 2 } }, { refusedMails: 'watch' }],
  [{ payments: { stuckCharges: 0, stuckRefunds: 1 } }, { payments: 'bad' }],
  [{ disks: [{ folder: 'FILES', freeBytes: 10, totalBytes: 100 }] }, { disks: 'watch' }],
  [
    {
      disks: [
        { folder: 'DATA', freeBytes: 4, totalBytes: 100 },
        { folder: 'FILES', freeBytes: 90, totalBytes: 100 },
      ],
    },
    { disks: 'bad' },
  ],
])('judges each part by its threshold: %j', (part, problems) => {
  expect(problemsOf(part)).toEqual(problems)
})

it('tells a job whose last run failed from one that failed before, and from one that no longer runs', () => {
  const job = { name: 'reconcile', ranAt: before(60), succeededAt: before(60), failedAt: null, error: null }
  expect(jobState(job, at)).toBe('good')
  expect(jobState({ ...job, failedAt: before(60), error: 'no' }, at)).toBe('failed')
  expect(jobState({ ...job, failedAt: before(61), error: 'no' }, at)).toBe('good')
  expect(jobState({ ...job, ranAt: before(1_000) }, at)).toBe('late')
  expect(problemsOf({ jobs: [{ ...job, ranAt: before(1_000) }] })).toEqual({ jobs: 'watch' })
  expect(worstOf([])).toBe('good')
})

it('has words for each job of the workers', () => {
  const server = new URL('../../../server/', import.meta.url)
  const files = [
    'worker.ts',
    'platform/events/housekeeping.ts',
    ...globSync('*/jobs.ts', { cwd: server.pathname }),
  ]
  const names = files.flatMap(file =>
    [
      ...readFileSync(new URL(file, server), 'utf8').matchAll(
        /\bname: '([^']+)',\s+everyMs|\b(?:deletion|polling)\('([^']+)'/g,
      ),
    ].map(([, name, nameOfCall]) => name ?? nameOfCall),
  )
  expect(names.length).toBeGreaterThan(20)
  expect(Object.keys(jobTexts).sort()).toEqual(names.sort())
})
