import fastify from 'fastify'
import { type Database, openDatabase } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { openSignal, type Signal } from '#platform/events/signal.ts'
import { openSseBroker, type SseBroker, type StreamKind } from '#platform/events/sse-broker.ts'
import { errorBody, fail, Refusal } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { openLog } from '#platform/log.ts'
import { defined } from './elements.ts'

/** An SSE broker behind a small HTTP server, without identity and areas: the URL names the caller. */
export type StreamApp = {
  readonly url: string
  readonly database: Database
  readonly signal: Signal
  readonly hub: SseBroker
  /** People whose session has ended, and people who lost the permission. */
  readonly gone: Set<string>
  readonly barred: Set<string>
  /** How often the audience was resolved. */
  audienceCount(): number
  address(query?: {
    organizationId?: string
    personId?: string
    token?: string
    lastEventId?: string | number
    /** The shared stream instead of the organization's own. */
    stream?: 'marketplace'
  }): string
  close(): Promise<void>
}

export type StreamAppOptions = {
  databaseUrl: string
  /** Instead of a new one. */
  signal?: Signal
  heartbeatMs?: number
  pollMs?: number
  poolSize?: number
  /** Slows down the organization's events. */
  audienceDelay?: () => Promise<void>
}

export const log = openLog('silent', 'test')

export function openTestDatabase(url: string, poolSize = 5): Promise<Database> {
  return openDatabase({
    url,
    poolSize,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 25_000,
    lockTimeoutMs: 20_000,
    idleInTransactionTimeoutMs: 25_000,
    applicationName: 'patio test',
  })
}

/** Opens the broker, its database and its HTTP server on a free loopback port. */
export async function openStreamApp(options: StreamAppOptions): Promise<StreamApp> {
  const { databaseUrl, poolSize = 5, ...rest } = options
  const database = await openTestDatabase(databaseUrl, poolSize)
  const own = options.signal ? undefined : await openSignal({ url: databaseUrl, log, pingMs: 200 })
  const signal = defined(options.signal ?? own)
  const gone = new Set<string>()
  const barred = new Set<string>()
  const callers = { load: async (caller: Caller) => (gone.has(caller.personId) ? undefined : caller) }
  const hub = openSseBroker({ ...rest, database, signal, log, callers })
  let audienceCount = 0
  // an event with `onlyFor` is for that person; a counter is not for its actor
  const kind: StreamKind = {
    stream: 'studio',
    async audience() {
      audienceCount++
      await options.audienceDelay?.()
      return (caller, { name, actor_id: actorId, data }) =>
        (data.onlyFor === undefined || data.onlyFor === caller.personId) &&
        !(name === 'ai-asset.used' && actorId === caller.personId)
    },
    replaces: ({ name, data }) => (name === 'ai-asset.used' ? String(data.assetId) : undefined),
  }
  const shared: StreamKind = { stream: 'marketplace', audience: async () => () => true }
  const app = fastify()
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send(errorBody(error.code, error.extra))
    return reply.code(500).send({ message: String(error) })
  })
  app.get('/events', (request, reply) => {
    const { organizationId, personId, lastEventId, stream } = request.query as Record<string, string>
    const header = request.headers['last-event-id'] as string | undefined
    return hub.open({
      kind: stream ? shared : kind,
      caller: { organizationId, personId } as Caller,
      request,
      reply,
      lastEventId: header ?? lastEventId,
      assertAllowed: caller => void (barred.has(caller.personId) && fail('PERMISSION_DENIED')),
    })
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  return {
    url,
    database,
    signal,
    hub,
    gone,
    barred,
    audienceCount: () => audienceCount,
    address: (query = {}) =>
      `${url}/events?${new URLSearchParams({ organizationId: 'o1', personId: newId(), ...query } as Record<string, string>)}`,
    async close() {
      await hub.close()
      await app.close()
      await own?.close()
      await database.close()
    },
  }
}

export type TestEvent = { name?: string; actorId?: string | null; data?: Record<string, unknown> }

/** Commits one transaction with these events, and wakes the relay if there is a signal. */
export async function emitTestEvent(
  database: Database,
  organizationId: string,
  sayings: TestEvent[],
  signal?: Signal,
): Promise<void> {
  await database.transact(
    organizationId,
    async tx => {
      for (const { name = 'ai-asset.created', actorId = null, data = {} } of sayings) {
        tx.pending.events.push({ id: newId(), name, actorId, data: { assetId: 'a1', slug: 's', ...data } })
      }
    },
    recordEvents,
  )
  signal?.changed()
}
