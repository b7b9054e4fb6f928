import pg from 'pg'

/** The server, and the timeouts of its clients. */
export type DatabaseOptions = {
  url: string
  poolSize: number
  connectTimeoutMs: number
  statementTimeoutMs: number
  lockTimeoutMs: number
  idleInTransactionTimeoutMs: number
  applicationName: string
  /** More settings of the sessions, as `-c name=value`. */
  settings?: string
  onPoolError?: (error: Error) => void
  /** On Citus, whether the statements of each organization go to the node that has its rows, with a pool for each node. */
  areNodesConnected?: boolean
}

// timestamps arrive as ISO 8601 with milliseconds, as replies need them, without a Date
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoTime as never)
pg.types.setTypeParser(pg.types.builtins.INT8, Number as never)
// and days as YYYY-MM-DD
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text)

/** `2026-11-21 13:15:00.1+00` → `2026-11-21T13:15:00.100Z`. The session's time zone is UTC. */
export function isoTime(text: string): string {
  const dot = text.indexOf('.', 19)
  const milliseconds =
    dot === -1
      ? '000'
      : text
          .slice(dot + 1, text.length - 3)
          .padEnd(3, '0')
          .slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

/** A pool that survives the loss of its connections: only the queries on them fail. */
export function openPool(options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: options.applicationName,
    statement_timeout: options.statementTimeoutMs,
    // a little later than the server's timeout: only a connection that does not answer at all reaches it
    query_timeout: options.statementTimeoutMs + 500,
    lock_timeout: options.lockTimeoutMs,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs,
    options: ['-c timezone=UTC -c jit=off', options.settings].filter(Boolean).join(' '),
    pipeline: true,
  } as pg.PoolConfig)
  pool.on('error', error => options.onPoolError?.(error))
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}
