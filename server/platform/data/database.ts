import type pg from 'pg'
import { crossTenantDbOn, crossTenantTxOn, dbOn, txOn } from './handles.ts'
import { type DatabaseOptions, openPool } from './pool.ts'
import type { Statement, StatementValues } from './statement.ts'
import { StatementSender } from './statement-sender.ts'
import { runTransaction } from './transaction.ts'

/** Runs statements for one organization, which is bound as `$organization`. */
export type Db = {
  readonly organizationId: string
  /** All rows. */
  rows<Row, Args extends object>(
    statement: Statement<Row, Args>,
    ...args: StatementValues<Args>
  ): Promise<Row[]>
  /** The first row, or undefined. */
  first<Row, Args extends object>(
    statement: Statement<Row, Args>,
    ...args: StatementValues<Args>
  ): Promise<Row | undefined>
  /**
   * The first row of a statement that always has one: an aggregate, an insert, a row that a constraint or a lock keeps.
   *
   * @throws Error if there is none
   */
  one<Row, Args extends object>(statement: Statement<Row, Args>, ...args: StatementValues<Args>): Promise<Row>
}

/** The same inside a transaction. Every function that writes takes one. */
export type Tx = Db & {
  readonly transaction: true
  /** The number of rows that an update or delete changed. */
  run<Row, Args extends object>(
    statement: Statement<Row, Args>,
    ...args: StatementValues<Args>
  ): Promise<number>
  /**
   * Runs a part of the transaction that may fail alone: its writes and events are undone, and the transaction
   * continues. The error is thrown unchanged. The work uses the handle that it receives, which is invalid
   * after the part has ended; until then the handle of the transaction is invalid.
   */
  savepoint<Result>(work: (part: Tx) => Promise<Result>): Promise<Result>
  /**
   * Starts the steps one after another and awaits them together: their first statements reach PostgreSQL in this order,
   * in one round trip. For steps that lock rows, so that all transactions lock in the same order and do not deadlock. A
   * step that sends no statement at once ends before the next one starts. Throws the error of the step that failed first.
   */
  inOrder<Results extends readonly unknown[]>(
    ...steps: { [Step in keyof Results]: () => Results[Step] | Promise<Results[Step]> }
  ): Promise<Results>
  /** The events and the audit entry that are written with the commit. */
  readonly pending: PendingEffects
}

/** Collected until the commit, so that events and the audit row cost one statement together. */
export type PendingEffects = {
  events: {
    id: string
    name: string
    actorId: string | null
    data: unknown
    to?: readonly unknown[]
    about?: Readonly<Record<string, string>>
  }[]
  /** Run after the commit; must not throw. */
  afterCommit: (() => void)[]
  /** Records neither events nor an audit entry: the call repeats another one, or changed nothing that they cover. */
  isReplay?: boolean
  /** The call changed nothing, so it does not count against a limit of successes. */
  uncounted?: boolean
}

export type Database = {
  readonly pool: pg.Pool
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

/** `rows`, `first` and `one` as above, for statements that say why they may read more than one organization. */
export type CrossTenantDb = Omit<Db, 'organizationId'>
export type CrossTenantTx = CrossTenantDb & { readonly transaction: true; of(organizationId: string): Tx }

/**
 * Opens the pool. Each statement is a named prepared statement. If the server is lost, half-open or
 * overloaded, queries fail within the timeouts: no request hangs, and the process survives.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = openPool(options)
  const tenantTables = await readTenantTables(pool).catch(async error => {
    await pool.end().catch(() => {})
    throw error
  })
  const sender = new StatementSender(tenantTables)
  return {
    pool,
    of: organizationId => dbOn(sender, pool, organizationId),
    crossTenant: crossTenantDbOn(sender, pool),
    transact: (organizationId, work, last) =>
      runTransaction(
        pool,
        sender,
        (client, attempt) => work(txOn(sender, client, organizationId, attempt)),
        last && ((client, attempt) => last(txOn(sender, client, organizationId, attempt))),
      ),
    transactCrossTenant: work =>
      runTransaction(pool, sender, (client, attempt) => work(crossTenantTxOn(sender, client, attempt))),
    close: () => pool.end(),
  }
}

async function readTenantTables(pool: pg.Pool): Promise<Set<string>> {
  const { rows } = await pool.query(
    `select table_name from information_schema.columns
     where table_schema = current_schema() and column_name = 'organization_id'`,
  )
  return new Set(rows.map(row => row.table_name as string))
}
