import { bounds } from '../claims.ts'
import { type BenchEnvironment, concurrency } from '../environment.ts'
import { type BenchOrganization, makeApplication, makeOrganization } from '../people.ts'
import { start } from '../processes.ts'
import type { Figure } from '../report.ts'
import type { CliOptions } from '../request-template.ts'
import { type ComparedSide, inTurns, type Round, ratios, rawLine } from '../rounds.ts'
import { median, percentile, short, spread } from '../statistics.ts'
import { sideOf } from './requests.ts'

const path = '/api/external/v1/errors'
const scopes = ['analytics:errors:write', 'analytics:errors:read']
const distinct = 5_000
const many = 10_000
/** Connections of the load: an error storm comes from many processes. */
const reporters = 4 * concurrency

const stack = [
  "TypeError: Cannot read properties of undefined (reading 'total')",
  ...Array.from({ length: 12 }, (_, n) => `    at step${n} (/app/src/invoices/step${n}.ts:${n + 10}:7)`),
].join('\n')
const report = (message: string) =>
  JSON.stringify({
    message,
    module: 'billing',
    severity: 'high',
    stack,
    file: 'src/invoices/total.ts',
    line: 42,
    function: 'totalOf',
    endpoint: '/invoices/:id',
    method: 'GET',
    userId: 'customer-7',
    requestId: 'r-1',
    context: { plan: 'TEAM', release: '1.2.3', retries: 2 },
  })

/**
 * Reports per second, each answered after its commit, over those of a Fastify route that stores nothing: of
 * one error, and of 5,000. Then the time of a report at half of that load, and of the statistics of 10,000
 * errors. Every report must have been counted.
 */
export async function errors(environment: BenchEnvironment): Promise<Figure[]> {
  const organization = await makeOrganization(environment.sql, 'errors', 1)
  const plain = start('bench/plain-route.ts', [], {})
  const limit = { pid: plain.pid, port: await plain.ask<number>('listen') }
  const one = await makeApplication(environment.sql, organization, scopes)
  const several = await makeApplication(environment.sql, organization, scopes)
  const ids = Array.from({ length: distinct }, (_, n) => wordOf(n))
  await known(environment, several, ids)

  const toOne: CliOptions = { ...requestWith(one.key), body: report('Order {name} cannot be paid') }
  const toMany: CliOptions = { ...requestWith(several.key), body: report('Order {id} cannot be paid'), ids }
  const figures: Figure[] = []
  let half = 0
  for (const [name, load, source] of [
    ['errors-one', { ...toOne, body: report('Order 1234 cannot be paid') }, one],
    ['errors-many', toMany, several],
  ] as const) {
    const before = await counted(environment, source.id)
    const counter = { requests: 0 }
    const product = countedSide(sideOf(environment, 'product', environment.api, load, 0, reporters), counter)
    const bare = sideOf(environment, 'plain route', limit, load, 0, reporters)
    const [ours = [], theirs = []] = await inTurns(environment, [product, bare])
    const missing = before + counter.requests - (await counted(environment, source.id))
    if (missing !== 0) throw new Error(`${missing} of ${counter.requests} reports were not counted`)
    figures.push({
      name,
      value: spread(ratios(ours, theirs, round => round.perSecond)),
      raw: [
        rawLine('product', ours),
        rawLine('plain route', theirs),
        `${counter.requests} reports, all counted`,
      ],
    })
    half = median(ours.map(({ perSecond }) => perSecond)) / 2
  }
  figures.push(await atHalf(environment, toMany, half), await statistics(environment, organization))
  await plain.stop()
  return figures
}

function requestWith(key: string): Omit<CliOptions, 'body'> {
  return {
    method: 'POST',
    path: `${path}/report`,
    status: 200,
    tokens: [''],
    headers: `X-Api-Key: ${key}\r\n`,
  }
}

function countedSide(side: ComparedSide, counter: { requests: number }): ComparedSide {
  return {
    ...side,
    async run(seconds) {
      const loaded = await side.run(seconds)
      counter.requests += loaded.requests
      return loaded
    },
  }
}

/** Letters only, so that their fingerprints differ. */
function wordOf(n: number): string {
  return [...n.toString(26)].map(digit => 'abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)]).join('')
}

/** Reports each error once. The number of new errors per hour is limited, so the hour is reset. */
async function known(
  environment: BenchEnvironment,
  { id, key }: { id: string; key: string },
  ids: string[],
): Promise<void> {
  const portion = 250
  for (let from = 0; from < ids.length; from += portion) {
    const some = ids.slice(from, from + portion)
    const load = { ...requestWith(key), body: report('Order {id} cannot be paid'), ids: some }
    await environment.load({
      ...load,
      port: environment.api.port,
      concurrency,
      from: 0,
      seconds: 600,
      most: some.length,
    })
    await environment.sql.query('update error_intake set new_errors = 0 where application_id = $1', [id])
  }
  const { rows } = await environment.sql.query(
    'select count(*)::int as n from error_group where application_id = $1',
    [id],
  )
  // the database would do this within a minute
  await environment.sql.query('vacuum analyze')
  if (rows[0].n !== ids.length) throw new Error(`${rows[0].n} errors instead of ${ids.length}`)
}

async function counted(environment: BenchEnvironment, applicationId: string): Promise<number> {
  const { rows } = await environment.sql.query(
    'select coalesce(sum(count), 0)::int as n from error_group where application_id = $1',
    [applicationId],
  )
  return rows[0].n
}

async function atHalf(environment: BenchEnvironment, load: CliOptions, perSecond: number): Promise<Figure> {
  const rounds: Round[] = []
  for (let round = 0; round < environment.size.rounds; round++) {
    const given = {
      ...load,
      port: environment.api.port,
      perSecond,
      concurrency: reporters,
      from: 0,
      seconds: environment.size.seconds,
    }
    rounds.push({ ...(await environment.load(given)), cpuMs: 0 })
  }
  return {
    name: 'errors-half',
    value: spread(rounds.map(({ p99Ms }) => p99Ms / bounds.errorReportMs)),
    raw: [rawLine(`product at ${short(perSecond)}/s`, rounds)],
  }
}

async function statistics(environment: BenchEnvironment, organization: BenchOrganization): Promise<Figure> {
  const source = await makeApplication(environment.sql, organization, scopes)
  await environment.sql.query(
    `insert into error_group (organization_id, id, application_id, hash, fingerprint_version, message, module, severity,
       count, first_occurrence, last_occurrence, hour_at, hour_count, window_at, window_count)
     select $1, 'g' || n, $2, n::text, 'e1', 'Error ' || n, 'module' || n % 50, (array['critical','high','medium','low'])[1 + n % 4],
       1 + n * 7919 % 10000, now(), now() - n * interval '1 minute', now(), 1, now(), 1 from generate_series(1, $3::int) n`,
    [organization.id, source.id, many],
  )
  await environment.sql.query(
    `insert into error_group_count select organization_id, application_id, module, severity, state, count(*) from error_group
     where application_id = $1 group by 1, 2, 3, 4, 5`,
    [source.id],
  )
  await environment.sql.query('vacuum analyze error_group, error_group_count')
  const times: number[] = []
  for (let n = 0; n < 200; n++) {
    if (n % 100 === 0) await environment.sql.query('delete from rate_window')
    const startedAt = performance.now()
    const answer = await fetch(`http://127.0.0.1:${environment.api.port}${path}/stats`, {
      headers: { 'X-Api-Key': source.key },
    })
    const { total } = (await answer.json()) as { total: number }
    times.push(performance.now() - startedAt)
    if (total !== many) throw new Error(`The statistics say ${total}`)
  }
  const sorted = Float64Array.from(times)
  return {
    name: 'errors-statistics',
    value: spread(times.map(ms => ms / bounds.errorStatisticsMs)),
    raw: [`p50 ${short(percentile(sorted, 0.5))} ms, p99 ${short(percentile(sorted, 0.99))} ms`],
  }
}
