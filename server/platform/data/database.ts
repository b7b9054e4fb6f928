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
   * error is thrown as it is. The work uses the handle that it is given, which is refused once the part has ended; the
   * handle of the transaction is refused until then.
   */
  savepoint<Result>(work: (part: Tx) => Promise<Result>): Promise<Result>
  /** What this transaction will announce and record when it commits. */
  readonly pending: PendingEffects
}

/** Buffered until commit, so that events and the audit row cost one statement together. */
export type PendingEffects = {
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
  isReplay?: boolean
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
 * One try of a transaction on a connection, or of a savepoint in it. Once it has ended, nothing more of it is sent there or
 * announced.
 */
type Attempt = {
  hasEnded: boolean
  /** How many savepoints it lies in. */
  readonly depth: number
  readonly pending: PendingEffects
  openSavepoint: Attempt | undefined
}

function newAttempt(depth: number): Attempt {
  return { hasEnded: false, depth, pending: { events: [], afterCommit: [] }, openSavepoint: undefined }
}

function end(attempt: Attempt): void {
  attempt.hasEnded = true
  if (attempt.openSavepoint) end(attempt.openSavepoint)
}

function assertOpen({ hasEnded, openSavepoint }: Attempt): void {
  if (hasEnded) throw new Error('The transaction, or its savepoint, has ended')
  if (openSavepoint) throw new Error('A savepoint is open: only its own handle may be used')
}

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
    attempt?: Attempt,
  ) {
    // a branch of the work that goes on after another one refused: its statement would run by itself, in the next
    // transaction of this connection, or in what is left of this one
    if (attempt) assertOpen(attempt)
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

  function dbOn(on: pg.Pool | pg.ClientBase, organizationId: string, attempt?: Attempt): Db {
    return {
      organizationId,
      rows: async (statement, ...args) =>
        (await query(on, statement, [organizationId, ...args], attempt)).rows as never,
      first: async (statement, ...args) =>
        (await query(on, statement, [organizationId, ...args], attempt)).rows[0] as never,
    }
  }
  function txOn(client: pg.ClientBase, organizationId: string, attempt: Attempt): Tx {
    const { pending } = attempt
    return {
      ...dbOn(client, organizationId, attempt),
      transaction: true,
      pending,
      run: async (statement, ...args) =>
        (await query(client, statement, [organizationId, ...args], attempt)).rowCount ?? 0,
      async savepoint(work) {
        assertOpen(attempt)
        const part = newAttempt(attempt.depth + 1)
        attempt.openSavepoint = part
        try {
          const result = await trySavepoint(client, attempt, part, () =>
            work(txOn(client, organizationId, part)),
          )
          const { events, afterCommit, ...marks } = part.pending
          pending.events.push(...events)
          pending.afterCommit.push(...afterCommit)
          Object.assign(pending, marks)
          return result
        } finally {
          end(part)
          attempt.openSavepoint = undefined
        }
      },
    }
  }

  async function trySavepoint<Result>(
    client: pg.ClientBase,
    attempt: Attempt,
    part: Attempt,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const name = `part_${part.depth}`
    await client.query(`savepoint ${name}`)
    try {
      const result = await work()
      assertOpen(part)
      end(part)
      await client.query(`release savepoint ${name}`)
      return result
    } catch (thrown) {
      end(part)
      // nothing is left to undo, and the connection may be in the next transaction
      if (attempt.hasEnded) throw thrown
      const error = isConsequence(thrown) ? (firstErrors.get(client) ?? thrown) : thrown
      await client.query(`rollback to savepoint ${name}`)
      firstErrors.delete(client)
      throw error
    }
  }

  function wideOn(on: pg.Pool | pg.ClientBase, attempt?: Attempt): WideDb {
    return {
      rows: async (statement, ...args) =>
        (await query(on, assertWide(statement), [...args], attempt)).rows as never,
      first: async (statement, ...args) =>
        (await query(on, assertWide(statement), [...args], attempt)).rows[0] as never,
    }
  }

  async function inTransaction<Result>(
    work: (client: pg.PoolClient, attempt: Attempt) => Promise<Result>,
    last?: (client: pg.PoolClient, attempt: Attempt) => Promise<unknown>,
  ): Promise<Result> {
    const { result, said: pending } = await tryToCommit(work, last)
    for (const act of pending.afterCommit) act()
    return result
  }

  async function tryToCommit<Result>(
    work: (client: pg.PoolClient, attempt: Attempt) => Promise<Result>,
    last?: (client: pg.PoolClient, attempt: Attempt) => Promise<unknown>,
  ): Promise<{ result: Result; said: PendingEffects }> {
    for (let attemptNumber = 1; ; attemptNumber++) {
      const attempt = newAttempt(0)
      const client = await pool.connect()
      let broken: Error | undefined
      firstErrors.delete(client)
      try {
        // BEGIN is not awaited: it travels with the first statement of the work
        const beginQuery = client.query('begin')
        beginQuery.catch(() => {})
        const result = await work(client, attempt)
        await beginQuery
        assertOpen(attempt)
        const lastStatements = last?.(client, attempt)
        lastStatements?.catch(() => {})
        end(attempt)
        const commitQuery = client.query('commit')
        commitQuery.catch(() => {})
        await lastStatements
        // a COMMIT of a failed transaction answers ROLLBACK instead of an error
        if ((await commitQuery).command !== 'COMMIT')
          throw firstErrors.get(client) ?? new Error('The transaction was rolled back')
        return { result, said: attempt.pending }
      } catch (thrown) {
        const error = isConsequence(thrown) ? (firstErrors.get(client) ?? thrown) : thrown
        end(attempt)
        await client.query('rollback').catch((connectionError: Error) => {
          broken = connectionError
        })
        if (attemptNumber < 3 && isRetryable(error)) continue
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
    transact: (organizationId, work, last) =>
      inTransaction(
        (client, attempt) => work(txOn(client, organizationId, attempt)),
        last && ((client, attempt) => last(txOn(client, organizationId, attempt))),
      ),
    transactWide: work =>
      inTransaction((client, attempt) =>
        work({
          ...wideOn(client, attempt),
          transaction: true,
          of: organizationId => txOn(client, organizationId, attempt),
        }),
      ),
    close: () => pool.end(),
  }
}

function assertWide<Row, Args extends readonly unknown[]>(
  statement: Statement<Row, Args>,
): Statement<Row, Args> {
  if (!statement.crossTenantReason)
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
