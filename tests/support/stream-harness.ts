import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { openRelay, type Relay } from '#platform/events/relay.ts'
import { openSignal, type Signal } from '#platform/events/signal.ts'
import { defined } from './elements.ts'
import { type EventStream, openStream } from './event-stream.ts'
import { type FreshDatabase, freshDatabase } from './postgres.ts'
import {
  emitTestEvent,
  log,
  openStreamApp,
  openTestDatabase,
  type StreamApp,
  type StreamAppOptions,
} from './stream-app.ts'

const age = crossTenantSql<never, { organizationId: string; seq: number }>(
  'test',
  `with old as (update relay_head set event_oldest = $seq + 1 where organization_id = $organizationId)
   delete from event where organization_id = $organizationId and seq <= $seq`,
)

/** A database with a running relay for a test file, with brokers and streams to open and close. */
export function openStreamHarness() {
  let fresh: FreshDatabase
  let relay: Relay
  const apps: StreamApp[] = []
  const open: EventStream[] = []
  const stage = {
    database: undefined as unknown as Database,
    signal: undefined as unknown as Signal,
    /** Opens the broker of an API process. */
    async start(options: Partial<StreamAppOptions> = {}): Promise<StreamApp> {
      const app = await openStreamApp({ databaseUrl: fresh.url, ...options })
      apps.push(app)
      return app
    },
    /** Opens a stream and waits until it is connected, or refused. */
    async stream(
      app: StreamApp,
      query: Parameters<StreamApp['address']>[0],
      headers?: Record<string, string>,
    ) {
      const opened = await openStream(app.address(query), headers)
      open.push(opened)
      if (opened.status === 200) await opened.until(frame => frame.event === 'connected')
      return opened
    },
    /** Emits one event for each number, in one transaction. */
    emit: (organizationId: string, numbers: number[], more: object = {}) =>
      emitTestEvent(
        stage.database,
        organizationId,
        numbers.map(n => ({ data: { n, ...more } })),
        stage.signal,
      ),
    /** Deletes the events up to a number, as housekeeping does after a day. */
    age: (organizationId: string, seq: number) =>
      stage.database.crossTenant.rows(age, { organizationId, seq }),
  }
  beforeAll(async () => {
    fresh = await freshDatabase()
    stage.database = await openTestDatabase(fresh.url)
    stage.signal = await openSignal({ url: fresh.url, log })
    relay = openRelay({ database: stage.database, signal: stage.signal, log })
  })
  afterEach(async () => {
    for (const stream of open.splice(0)) stream.close()
    await Promise.all(apps.splice(0).map(app => app.close()))
  })
  afterAll(async () => {
    await relay.close()
    await stage.signal.close()
    await stage.database.close()
    await fresh.drop()
  })
  return stage
}

export const numbered = (n: number) => (frame: { data?: Record<string, unknown> }) => frame.data?.n === n
export const numbers = (from: EventStream) => from.events().map(frame => defined(frame.data).n)
export const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
