import pg from 'pg'

const connectMs = 10_000

/**
 * Does work while this process holds a lock of the database that ends with its connection, on whatever machine others try to take
 * it. Returns undefined without working if somebody else holds it.
 */
export async function withSessionLock<Result>(
  databaseUrl: string,
  lockKey: number,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: connectMs })
  // a lost connection is noticed by the work, which uses the same database
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as "isMine"', [lockKey])
    return rows[0].isMine ? await work() : undefined
  } finally {
    await client.end().catch(() => {})
  }
}
