import { type AuthKind, operation, pathAt } from '#contract/operation.ts'
import { Type } from '#contract/type.ts'
import { openDatabase } from '#platform/data/database.ts'
import { openCallRateLimiter } from '#platform/http/call-rate-limit.ts'
import { warnOnContractBreach } from '#platform/http/contract-check.ts'
import { query } from '#platform/http/operation.ts'
import { openLog } from '#platform/log.ts'
import { openMetrics } from '#platform/metrics.ts'
import { buildApp } from '#server/app.ts'
import { openApplicationCallers } from '#server/integrations/area.ts'
import { inTurn, itemAt, only } from '#tests/support/elements.ts'
import { insertApplicationKeys, plantApplications } from '#tests/support/integrations/applications.ts'
import { onPool } from '#tests/support/rows.ts'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { makeOrganization } from '../people.ts'
import type { Figure } from '../report.ts'
import { inOrder } from '../rounds.ts'
import { median, short, spread } from '../statistics.ts'

const keysInUse = 100
const shared = { summary: 'Answers nothing', module: 'integrations', reply: Type.Object({}) } as const
const guarded = operation('GET /nothing', {
  ...shared,
  area: 'bench',
  auth: { apiKey: { scope: 'studio:assets:read' } },
})
const unguarded = operation('GET /nothing', { ...shared, area: 'bench', auth: { public: true } })

/**
 * The cost of admitting a cached application: processor time of a request that does nothing, in this process
 * and without a network, over that of the same public request.
 */
export async function applicationKey(environment: BenchEnvironment): Promise<Figure[]> {
  const database = await openDatabase({
    url: environment.env.DATABASE_URL,
    poolSize: 2,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 10_000,
    applicationName: 'patio bench',
  })
  const log = openLog('silent', 'bench')
  const fresh = { generation: () => 0, isFresh: () => true }
  const { byKey } = openApplicationCallers({ database, freshness: fresh, log })
  const nobody = () => undefined
  const app = await buildApp({
    log,
    metrics: openMetrics(),
    trustProxy: false,
    isReady: async () => true,
    served: [guarded, unguarded].map(one => query(one, async () => ({}))),
    contractCheck: warnOnContractBreach(log),
    admission: {
      services: { database } as never,
      // never reached, but counted as in the product
      callRateLimiter: openCallRateLimiter(1_000_000),
      authenticate: {
        person: nobody,
        stream: nobody,
        session: nobody,
        tool: nobody,
        toolByAddress: nobody,
        application: byKey,
      },
    },
  })
  try {
    const keys = await makeKeys(environment)
    const requests = environment.size.seconds * 4_000
    const sides = (['apiKey', 'public'] as AuthKind[]).map(auth => ({
      url: pathAt(auth, auth === 'public' ? unguarded : guarded),
      times: [] as number[],
    }))
    for (const { url } of sides) await askAll(app, url, keys, requests)
    for (let round = 0; round < environment.size.rounds; round++) {
      for (const { url, times } of inOrder(sides, round)) {
        times.push(await askAll(app, url, keys, requests))
      }
    }
    const [known = [], open = []] = sides.map(({ times }) => times)
    const microseconds = known.map((us, round) => us - itemAt(open, round))
    return [
      {
        name: 'application-key',
        value: spread(microseconds.map(us => us / bounds.admissionUs)),
        raw: [
          `with a key ${short(median(known))} µs, without ${short(median(open))} µs: ${short(median(microseconds))} µs more, ${keysInUse} keys`,
        ],
      },
    ]
  } finally {
    await app.close()
    await database.close()
  }
}

/** Sends requests one after the other and returns the processor time of each in microseconds. */
async function askAll(
  app: Awaited<ReturnType<typeof buildApp>>,
  url: string,
  keys: string[],
  requests: number,
): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < requests; n++) {
    const headers = { 'x-api-key': inTurn(keys, n) }
    const { statusCode } = await app.inject({ method: 'GET', url, headers })
    if (statusCode !== 200) throw new Error(`${url} answers ${statusCode}`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}

async function makeKeys({ sql }: BenchEnvironment): Promise<string[]> {
  const { id, people } = await makeOrganization(sql, 'applications', 1)
  const principal = only(people)
  const ids = await plantApplications(onPool(sql), id, principal, keysInUse, ['studio:assets:read'])
  const keys = await insertApplicationKeys(
    onPool(sql),
    ids.map(applicationId => ({ id: applicationId, organizationId: id, principalId: principal.id })),
  )
  return keys.map(({ key }) => key)
}
