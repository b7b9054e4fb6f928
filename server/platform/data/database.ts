import type pg from 'pg'
import { required } from '../required.ts'
import { CitusNodes } from './citus-nodes.ts'
import type { CrossTenantDb, CrossTenantTx, Db, Tx } from './db.ts'
import { crossTenantDbOn, crossTenantTxOn, dbOn, txOn } from './handles.ts'
import { type DatabaseOptions, openPool } from './pool.ts'
import { type DatabaseSchema, StatementSender } from './statement-sender.ts'
import { runTransaction } from './transaction.ts'

export type Database = {
  readonly pool: pg.Pool
  /** That pool and, on Citus, those of the other nodes that are connected to. */
  pools(): readonly pg.Pool[]
  of(organizationId: string): Db
  /** Statements that are not about one organization. */
  crossTenant: CrossTenantDb
  /**
   * Runs one transaction. `last` sends its statements together, just before the commit, in the same round
   * trip.
   */
  transact<Result>(
    organizationId: string,
    work: (tx: Tx) => Promise<Result>,
    last?: (tx: Tx) => Promise<unknown>,
  ): Promise<Result>
  transactCrossTenant<Result>(work: (tx: CrossTenantTx) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/**
 * Opens the pool. Each statement is a named prepared statement. If the server is lost, half-open or
 * overloaded, queries fail within the timeouts: no request hangs, and the process survives.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = openPool(options)
  const schema = await prepareFor(pool).catch(async error => {
    await pool.end().catch(() => {})
    throw error
  })
  const sender = new StatementSender(schema)
  const nodes = schema.hasCitus && options.areNodesConnected ? openNodes(pool, options) : undefined
  const poolOf = (organizationId: string) => nodes?.poolOf(organizationId) ?? pool
  return {
    pool,
    pools: () => [pool, ...(nodes?.pools ?? [])],
    // another node may have the organization later
    of: organizationId => dbOn(sender, () => poolOf(organizationId), organizationId),
    crossTenant: crossTenantDbOn(sender, pool),
    transact: (organizationId, work, last) =>
      runTransaction(
        poolOf(organizationId),
        sender,
        (client, attempt) => work(txOn(sender, client, organizationId, attempt)),
        last && ((client, attempt) => last(txOn(sender, client, organizationId, attempt))),
      ),
    transactCrossTenant: work =>
      runTransaction(pool, sender, (client, attempt) => work(crossTenantTxOn(sender, client, attempt))),
    async close() {
      await nodes?.close()
      await pool.end()
    },
  }
}

function openNodes(entry: pg.Pool, options: DatabaseOptions): CitusNodes {
  const nodes = new CitusNodes({
    entry,
    openPoolOf(host, port) {
      const url = new URL(options.url)
      url.hostname = host
      url.port = String(port)
      const pool = openPool({ ...options, url: url.href })
      planWithValuesOf(pool)
      return pool
    },
    onUnreachable: (node, { message }) =>
      options.onPoolError?.(
        new Error(`the node ${node} is reached through the node of DATABASE_URL: ${message}`),
      ),
  })
  nodes.start()
  return nodes
}

/** Reads the schema. On Citus, all connections plan with the values of each call, whatever their settings say. */
async function prepareFor(pool: pg.Pool): Promise<DatabaseSchema> {
  const schema = await readSchema(pool)
  if (schema.hasCitus) {
    planWithValuesOf(pool)
    // of the connection that is open
    await pool.query(planWithValues)
  }
  return schema
}

const planWithValues = 'set plan_cache_mode = auto'

function planWithValuesOf(pool: pg.Pool): void {
  pool.on('connect', client => client.query(planWithValues).catch(() => {}))
}

async function readSchema(pool: pg.Pool): Promise<DatabaseSchema> {
  const { rows } = await pool.query<{ tables: string[]; hasCitus: boolean }>(
    `select array(select table_name::text from information_schema.columns
       where table_schema = current_schema() and column_name = 'organization_id') as tables,
       exists (select from pg_extension where extname = 'citus') as "hasCitus"`,
  )
  const { tables, hasCitus } = required(rows[0], 'the schema')
  return { tenantTables: new Set(tables), hasCitus }
}
