import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { isConsequence, isRetryable } from './errors.ts'
import { assertTenantTied } from './guard.ts'
import { type DatabaseOptions, openPool } from './pool.ts'
import type { Statement } from './statement.ts'

/** Runs statements for one organization, which it binds as `$1`. */
export type Db = {
  readonly organizationId: string
  /** All rows. */
  rows<Row, Args extends readonly unknown[]>(statement: Statement<Row, Args>, ...args: Args): Promise<Row[]>
  /** The first row, or undefined. */
  first<Row, Args extends readonly unknown[]>(
    statement: Statement<Row, Args>,
    ...args: Args
  ): Promise<Row | undefined>
}

/** The same inside a transaction. Every writing function of a store asks for it by type. */
export type Tx = Db & {
  readonly transaction: true
  /** How many rows an update or delete touched. */
  run<Row, Args extends readonly unknown[]>(statement: Statement<Row, Args>, ...args: Args): Promise<number>
  /**
   * A part of the transaction that may fail by itself: what it wrote and announced is undone, and the rest goes on. The
   * error is thrown as it is.
   */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>
  /** What this transaction will announce and record when it commits. */
  readonly said: Said
}

/** Buffered until commit, so that events and the audit row cost one statement together. */
export type Said = {
  events: {
    id: string
    name: string
    actorId: string | null
    data: unknown
    to?: readonly unknown[]
    about?: Readonly<Record<string, string>>
  }[]
  /** Run after the commit, never before; must not throw. */
  afterCommit: (() => void)[]
  /** The transaction only read back an earlier answer: nothing is recorded. */
  repeated?: boolean
  /** The call found things as it wanted them: it does not count against a limit of successes. */
  uncounted?: boolean
}

export type Database = {
  readonly pool: pg.Pool
  of(organizationId: string): Db
  /** Statements that are not about one organization. */
  wide: WideDb
  /**
   * One transaction. `last` sends its statements, all at once, just before the commit: they travel with it in
   * one round trip.
   */
  transact<Result>(
    organizationId: string,
    work: (tx: Tx) => Promise<Result>,
    last?: (tx: Tx) => Promise<unknown>,
  ): Promise<Result>
  transactWide<Result>(work: (tx: WideTx) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export type WideDb = {
  rows<Row, Args extends readonly unknown[]>(statement: Statement<Row, Args>, ...args: Args): Promise<Row[]>
  first<Row, Args extends readonly unknown[]>(
    statement: Statement<Row, Args>,
    ...args: Args
  ): Promise<Row | undefined>
}
export type WideTx = WideDb & { readonly transaction: true; of(organizationId: string): Tx }

/**
 * Opens the pool. Each statement is a named prepared statement. A lost, half-open or overloaded server makes
 * queries fail within the timeouts; it never hangs a request and never ends the process.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = openPool(options)
  const tenantTables = await readTenantTables(pool).catch(async error => {
    await pool.end().catch(() => {})
    throw error
  })
  const checked = new WeakSet<object>()
  // of statements that were sent together the first to fail says why; the others only say that one did
  const firstErrors = new WeakMap<object, unknown>()

  // sends at once, before it returns: what is called first arrives first, which the commit below relies on
  function query(
    on: pg.Pool | pg.ClientBase,
    statement: Statement<unknown, readonly unknown[]>,
    values: unknown[],
  ) {
    if (!checked.has(statement)) {
      assertTenantTied(statement, tenantTables)
      checked.add(statement)
    }
    const answer = on.query({ name: statement.name, text: statement.text, values })
    if (on === pool) return answer
    return answer.catch(async error => {
      if (!firstErrors.has(on)) firstErrors.set(on, error)
      // whoever makes a refusal of the first error is heard before those that only follow from it
      if (isConsequence(error)) await setImmediate()
      throw error
    })
  }

  function dbOn(on: pg.Pool | pg.ClientBase, organizationId: string): Db {
    return {
      organizationId,
      rows: async (statement, ...args) =>
        (await query(on, statement, [organizationId, ...args])).rows as never,
      first: async (statement, ...args) =>
        (await query(on, statement, [organizationId, ...args])).rows[0] as never,
    }
  }
  function txOn(client: pg.ClientBase, organizationId: string, said: Said): Tx {
    return {
      ...dbOn(client, organizationId),
      transaction: true,
      said,
      run: async (statement, ...args) =>
        (await query(client, statement, [organizationId, ...args])).rowCount ?? 0,
      async savepoint(work) {
        const [events, acts] = [said.events.length, said.afterCommit.length]
        await client.query('savepoint part')
        try {
          const result = await work()
          await client.query('release savepoint part')
          return result
        } catch (error) {
          await client.query('rollback to savepoint part')
          said.events.length = events
          said.afterCommit.length = acts
          firstErrors.delete(client)
          throw error
        }
      },
    }
  }
  function wideOn(on: pg.Pool | pg.ClientBase): WideDb {
    return {
      rows: async (statement, ...args) => (await query(on, assertWide(statement), [...args])).rows as never,
      first: async (statement, ...args) =>
        (await query(on, assertWide(statement), [...args])).rows[0] as never,
    }
  }

  async function inTransaction<Result>(
    said: Said,
    work: (client: pg.PoolClient) => Promise<Result>,
    last?: (client: pg.PoolClient) => Promise<unknown>,
  ) {
    for (let attempt = 1; ; attempt++) {
      const client = await pool.connect()
      let broken: Error | undefined
      firstErrors.delete(client)
      try {
        // BEGIN is not awaited: it travels with the first statement of the work
        const begun = client.query('begin')
        begun.catch(() => {})
        const result = await work(client)
        await begun
        const ended = last?.(client)
        ended?.catch(() => {})
        const committed = client.query('commit')
        committed.catch(() => {})
        await ended
        // a COMMIT of a failed transaction answers ROLLBACK instead of an error
        if ((await committed).command !== 'COMMIT')
          throw firstErrors.get(client) ?? new Error('The transaction was rolled back')
        return result
      } catch (thrown) {
        const error = isConsequence(thrown) ? (firstErrors.get(client) ?? thrown) : thrown
        said.events.length = 0
        said.afterCommit.length = 0
        await client.query('rollback').catch((lost: Error) => {
          broken = lost
        })
        if (attempt < 3 && isRetryable(error)) continue
        throw error
      } finally {
        client.release(broken)
      }
    }
  }

  return {
    pool,
    of: organizationId => dbOn(pool, organizationId),
    wide: wideOn(pool),
    async transact(organizationId, work, last) {
      const said: Said = { events: [], afterCommit: [] }
      const result = await inTransaction(
        said,
        client => work(txOn(client, organizationId, said)),
        last && (client => last(txOn(client, organizationId, said))),
      )
      for (const act of said.afterCommit) act()
      return result
    },
    async transactWide(work) {
      const said: Said = { events: [], afterCommit: [] }
      const result = await inTransaction(said, client =>
        work({
          ...wideOn(client),
          transaction: true,
          of: organizationId => txOn(client, organizationId, said),
        }),
      )
      for (const act of said.afterCommit) act()
      return result
    },
    close: () => pool.end(),
  }
}

function assertWide<Row, Args extends readonly unknown[]>(
  statement: Statement<Row, Args>,
): Statement<Row, Args> {
  if (!statement.wide)
    throw new Error(`This statement is about one organization; run it with of(): ${statement.text}`)
  return statement
}

async function readTenantTables(pool: pg.Pool): Promise<Set<string>> {
  const { rows } = await pool.query(
    `select table_name from information_schema.columns
     where table_schema = current_schema() and column_name = 'organization_id'`,
  )
  return new Set(rows.map(row => row.table_name as string))
}
