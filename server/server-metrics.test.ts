import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { openJobRunRecorder } from '#platform/jobs/job-run.ts'
import { insertMail } from '#platform/jobs/mail-queue.sql.ts'
import { type Log, openLog } from '#platform/log.ts'
import { openMetrics } from '#platform/metrics.ts'
import { freePort } from '#platform/ports.ts'
import { defined, only } from '#tests/support/elements.ts'
import { metricsUrls, samplesOf, textOf, totalsUrl } from '#tests/support/metrics.ts'
import { until } from '#tests/support/processes.ts'
import { insertRows } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { backgroundWork } from './background-work.ts'
import { openMetricsServer } from './metrics-server.ts'
import { readServerTotals, registerServerTotals } from './server-metrics.ts'
import { openWorker } from './worker.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ metrics: { host: '127.0.0.1', port: 0 } })
})
afterAll(() => server?.close())

const quiet = { warn() {} }
/** The current totals, without the interval between readings. */
async function totals(log: Pick<Log, 'warn'> = quiet): Promise<Map<string, number>> {
  const metrics = openMetrics()
  const { database } = server.api.services
  registerServerTotals(
    metrics,
    backgroundWork.flatMap(({ totals }) => totals ?? []),
    totals => readServerTotals(database, log, totals),
    () => true,
  )
  return samplesOf(await metrics.text())
}

test('a worker shows its own metrics and those of the whole server', async () => {
  const samples = samplesOf(await textOf(await totalsUrl(server)))
  expect(samples.get('patio_database_up')).toBe(1)
  expect(samples.get('patio_database_max_connections')).toBe(4)
  expect(samples.get('patio_disk_free_bytes{folder="data"}')).toBeGreaterThan(0)
  expect(samples.get('patio_webhook_shards_without_owner')).toBeLessThanOrEqual(64)
  await until('each job has run', async () =>
    samplesOf(await textOf(only(metricsUrls(server.logged())))).has(
      'patio_job_runs_total{job_name="send mails",result="success"}',
    ),
  )
})

test('an API process shows requests, streams and its own state, and no totals', async () => {
  const samples = samplesOf(await textOf(`${server.url}/metrics`))
  expect(samples.get('patio_database_up')).toBe(1)
  expect(samples.get('patio_streams')).toBe(0)
  expect(samples.has('patio_outbox_rows')).toBe(false)
})

test('the totals follow the rows', async () => {
  const { id: organizationId } = await server.organization()
  const { database } = server.api.services
  const before = await totals()
  expect(before.get('patio_outbox_quarantined_rows')).toBe(0)
  expect(before.get('patio_mail_queue_oldest_seconds')).toBe(0)
  expect(before.get('patio_reconciliation_differences')).toBe(0)
  await insertRows(server, 'outbox', [
    { organization_id: organizationId, id: 'held', created_at: 'infinity' },
  ])
  const id = newId()
  await database.transact(organizationId, tx =>
    insertMail(tx, { id, kind: 'of-no-area', data: {}, attempts: 0 }),
  )
  await server.sql(
    `update outgoing_mail set next_at = now() + interval '1 day', created_at = now() - interval '2 hours',
       attempts = 1, error = 'refused' where id = $1`,
    [id],
  )
  const found = await totals()
  expect(found.get('patio_outbox_quarantined_rows')).toBe(1)
  expect(found.get('patio_mail_queue_mails{state="retrying"}')).toBe(1)
  expect(found.get('patio_mail_queue_mails{state="queued"}')).toBe(0)
  const age = defined(found.get('patio_mail_queue_oldest_seconds'))
  expect(age).toBeGreaterThanOrEqual(7_200)
  expect(age).toBeLessThan(7_200 + 600)
  await server.sql(`delete from outbox where id = 'held'`)
  await server.sql('delete from outgoing_mail where id = $1', [id])
})

test('the age of the backup counts from the last one that succeeded', async () => {
  expect((await totals()).has('patio_backup_age_seconds')).toBe(false)
  const { database } = server.api.services
  const record = openJobRunRecorder('back up', database, quiet)
  await record(new Error('no space left'))
  expect((await totals()).has('patio_backup_age_seconds')).toBe(false)
  await record()
  await server.sql(
    `update job_run set succeeded_at = now() - interval '30 hours', ran_at = now() - interval '30 hours'
     where name = 'back up'`,
  )
  await record(new Error('no space left again'))
  const found = await totals()
  const age = defined(found.get('patio_backup_age_seconds'))
  expect(age).toBeGreaterThanOrEqual(30 * 3_600)
  expect(age).toBeLessThan(30 * 3_600 + 600)
  const failedAt = defined(found.get('patio_job_last_failure_timestamp_seconds{job_name="back up"}'))
  expect(failedAt).toBeGreaterThan(
    defined(found.get('patio_job_last_success_timestamp_seconds{job_name="back up"}')),
  )
})

test('a part that cannot be read is missing, and the others are shown', async () => {
  const warnings: unknown[] = []
  await server.sql('alter table outgoing_mail rename to outgoing_mail_elsewhere')
  const found = await totals({
    warn: (...words: unknown[]) => void warnings.push(words),
  } as never).finally(() => server.sql('alter table outgoing_mail_elsewhere rename to outgoing_mail'))
  expect(found.has('patio_outbox_rows')).toBe(true)
  expect(found.has('patio_mail_refused')).toBe(false)
  expect(found.has('patio_reconciliation_differences')).toBe(true)
  expect(warnings).toHaveLength(1)
})

test('one worker shows the totals, and another when it is gone', async () => {
  const lines: string[] = []
  const log = openLog('info', 'first', { write: line => void lines.push(line) })
  const pair = await startTestServer({}, { hasWorker: false })
  try {
    const config = { ...pair.config, metrics: { host: '127.0.0.1', port: 0 } }
    const first = await openWorker(config, log)
    await until('the first has the lease', () => lines.join('').includes('acquired relay leases'))
    const second = await openWorker(config, log)
    await until('both show metrics', () => metricsUrls(lines.join('')).length === 2)
    const [ofFirst, ofSecond] = metricsUrls(lines.join('')) as [string, string]
    const shows = async (url: string) => samplesOf(await textOf(url)).has('patio_outbox_rows')
    expect([await shows(ofFirst), await shows(ofSecond)]).toEqual([true, false])
    await first.close()
    await until('the second shows them', () => shows(ofSecond))
    await second.close()
  } finally {
    await pair.close()
  }
})

test('a port that is taken is tried again, and only two paths are there', async () => {
  const port = await freePort('127.0.0.1')
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(port, '127.0.0.1', resolve))
  const { promise: warned, resolve: onWarn } = Promise.withResolvers<object>()
  const { promise: shown, resolve: onShown } = Promise.withResolvers<{ url: string }>()
  const log = { warn: onWarn, info: onShown } as never
  const metrics = openMetricsServer(openMetrics(), { host: '127.0.0.1', port, log })
  try {
    expect(await warned).toMatchObject({ err: { code: 'EADDRINUSE' }, port })
    await new Promise(resolve => taken.close(resolve))
    const { url } = await shown
    expect(await textOf(url)).toContain('patio_build_info{version=')
    expect((await fetch(url.replace('/metrics', '/healthz'))).status).toBe(200)
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
    expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  } finally {
    await metrics.close()
  }
})
