import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './platform/log.ts'

/** Whether the database answers, asked all the time over a connection that nothing else waits for. */
export type DatabaseHealth = {
  isHealthy(): boolean
  stop(): Promise<void>
}

const intervalMs = 400
const answerMs = 1_000
const retryMs = 200
/** So many failures one after the other, of a second each at most, and what waits in a silent pool is given up. */
const failuresBeforeCut = 3

/**
 * Opens the pulse. A network that drops packets leaves connections that look alive and never answer: when the
 * database has been silent for three seconds, the connections of `pool` are cut, so that requests which wait on
 * them are refused now and not at the end of their time, and the next ones begin with a new connection. While any of
 * them receives something the network works and the machine is only slow: cut, all its requests would be refused, and
 * new connections would make it slower.
 */
export function openDatabaseHealth({
  url,
  pool,
  log,
}: {
  url: string
  pool: pg.Pool
  log: Pick<Log, 'warn'>
}): DatabaseHealth {
  const clients = new Set<pg.PoolClient>()
  const stopping = new AbortController()
  let failures = 0
  let isHealthy = true
  /** What each connection had received when the failures began. */
  let bytesAtFirstFailure = new Map<pg.PoolClient, number>()
  pool.on('connect', client => clients.add(client))
  pool.on('remove', client => clients.delete(client))

  function recordFailure(error: unknown): void {
    failures++
    if (isHealthy) log.warn({ err: error }, 'the database does not answer')
    isHealthy = false
    if (failures % failuresBeforeCut === 1)
      bytesAtFirstFailure = new Map([...clients].map(client => [client, bytesOf(client)]))
    if (failures % failuresBeforeCut !== 0) return
    const isSilent = [...clients].every(client => bytesOf(client) === bytesAtFirstFailure.get(client))
    if (isSilent) for (const client of clients) cut(client)
  }

  async function checkUntilFailure(client: pg.Client): Promise<void> {
    const ended = new Promise(resolve => client.once('end', resolve))
    while (!stopping.signal.aborted) {
      await client.query('select 1')
      failures = 0
      isHealthy = true
      await Promise.race([ended, pause(intervalMs)])
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'patio pulse',
        connectionTimeoutMillis: answerMs,
        query_timeout: answerMs,
      })
      client.on('error', () => {})
      try {
        await client.connect()
        await checkUntilFailure(client)
      } catch (error) {
        if (!stopping.signal.aborted) recordFailure(error)
      }
      cut(client)
      await pause(retryMs)
    }
  }
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})
  const running = run()

  return {
    isHealthy: () => isHealthy,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Ends a connection without a goodbye, which a half-open one would wait for. */
function cut(client: pg.ClientBase): void {
  socketOf(client).destroy()
}

/** How many bytes a connection has received. */
function bytesOf(client: pg.ClientBase): number {
  return socketOf(client).bytesRead
}

function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
