import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './platform/log.ts'

/** Whether the database answers, checked all the time over a separate connection. */
export type DatabaseHealth = {
  isHealthy(): boolean
  stop(): Promise<void>
}

const intervalMs = 400
const answerMs = 1_000
const retryMs = 200
/**
 * After this many consecutive failures, of a second each at most, the connections of a silent pool are cut.
 */
const failuresBeforeCut = 3

/**
 * Watches the database. A network that drops packets leaves connections that look alive and never answer. If
 * the database has been silent for three seconds, the connections of `pool` are cut, so that waiting requests
 * fail now and the next ones get new connections. While any of the connections receives data, the machine is
 * only slow: cutting them would fail all requests and make it slower.
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
  /** The bytes that each connection had received when the failures began. */
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
    const ended = new AbortController()
    client.once('end', () => ended.abort())
    const interrupted = AbortSignal.any([ended.signal, stopping.signal])
    while (!stopping.signal.aborted) {
      await client.query('select 1')
      failures = 0
      isHealthy = true
      // not Promise.race with the end: each race would leave something behind in a promise that lives as long as the connection
      await pause(intervalMs, interrupted)
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
  const pause = (ms: number, signal = stopping.signal) => sleep(ms, undefined, { signal }).catch(() => {})
  const running = run()

  return {
    isHealthy: () => isHealthy,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Closes a connection without the protocol's goodbye, which would hang on a half-open one. */
function cut(client: pg.ClientBase): void {
  socketOf(client).destroy()
}

/** The number of bytes that a connection has received. */
function bytesOf(client: pg.ClientBase): number {
  return socketOf(client).bytesRead
}

function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
