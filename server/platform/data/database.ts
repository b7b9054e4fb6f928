import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { activeSpan, inSpan, type SpanStart } from '../traces.ts'
import { isConsequence, isRetryable } from './errors.ts'
import { assertTenantTied } from './guard.ts'
import { type DatabaseOptions, openPool } from './pool.ts'
import { type AnyStatement, type Statement, type StatementValues, valuesOf } from './statement.ts'
import { traceStatement } from './trace-statement.ts'

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

const transactionSpan: SpanStart = { name: 'transaction', kind: 'internal' }

/**
 * One attempt of a transaction on a connection, or of a savepoint in it. After it has ended, no further
 * statement is sent and no event is written.
 */
type Attempt = {
  hasEnded: boolean
  /** The number of enclosing savepoints. */
  readonly depth: number
  /** The number of statements that were sent. */
  sent: number
  readonly pending: PendingEffects
  openSavepoint: Attempt | undefined
}

function newAttempt(depth: number): Attempt {
  return {
    hasEnded: false,
    depth,
    sent: 0,
    pending: { events: [], afterCommit: [] },
    openSavepoint: undefined,
  }
}

function end(attempt: Attempt): void {
  attempt.hasEnded = true
  if (attempt.openSavepoint) end(attempt.openSavepoint)
}

function assertOpen({ hasEnded, openSavepoint }: Attempt): void {
  if (hasEnded) throw new Error('The transaction, or its savepoint, has ended')
  if (openSavepoint) throw new Error('A savepoint is open: only its own handle may be used')
}

async function startInOrder(attempt: Attempt, steps: readonly (() => unknown)[]): Promise<unknown[]> {
  const results: Promise<unknown>[] = []
  for (const step of steps) {
    const { sent } = attempt
    const result = Promise.resolve(step())
    // it is awaited below, or another step has failed
    result.catch(() => {})
    results.push(result)
    if (attempt.sent === sent) await result
  }
  return Promise.all(results)
}

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
  const checked = new WeakSet<object>()
  // of statements that were sent together, only the first error tells the cause
  const firstErrors = new WeakMap<object, unknown>()

  // sends before it returns: the statements arrive in the order of the calls, which the commit below relies
  // on
  function query(on: pg.Pool | pg.ClientBase, statement: AnyStatement, values: unknown[], attempt?: Attempt) {
    // a branch of the work may continue after another one failed: its statement would run in the next
    // transaction of this connection, or in the remains of this one
    if (attempt) {
      assertOpen(attempt)
      attempt.sent++
    }
    if (!checked.has(statement)) {
      assertTenantTied(statement, tenantTables)
      checked.add(statement)
    }
    const { name, text, plan } = statement
    const prepared = { name, text, values }
    const answer = plan === 'generic' ? queryWithGenericPlan(on, prepared) : on.query(prepared)
    const span = activeSpan()
    if (span) traceStatement(span, statement, answer)
    if (on === pool) return answer
    return answer.catch(async error => {
      if (!firstErrors.has(on)) firstErrors.set(on, error)
      // lets a handler that turns the first error into a refusal run before this consequence is thrown
      if (isConsequence(error)) await setImmediate()
      throw error
    })
  }

  function dbOn(on: pg.Pool | pg.ClientBase, organizationId: string, attempt?: Attempt): Db {
    return {
      organizationId,
      rows: async (statement, ...[args]) =>
        (await query(on, statement, valuesOf(statement, args, organizationId), attempt)).rows as never,
      first: async (statement, ...[args]) =>
        (await query(on, statement, valuesOf(statement, args, organizationId), attempt)).rows[0] as never,
      one: async (statement, ...[args]) =>
        onlyRow(statement, await query(on, statement, valuesOf(statement, args, organizationId), attempt)),
    }
  }
  function txOn(client: pg.ClientBase, organizationId: string, attempt: Attempt): Tx {
    const { pending } = attempt
    return {
      ...dbOn(client, organizationId, attempt),
      transaction: true,
      pending,
      run: async (statement, ...[args]) =>
        (await query(client, statement, valuesOf(statement, args, organizationId), attempt)).rowCount ?? 0,
      inOrder: (...steps) => startInOrder(attempt, steps) as never,
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
      // nothing is left to undo, and the connection may already serve the next transaction
      if (attempt.hasEnded) throw thrown
      const error = isConsequence(thrown) ? (firstErrors.get(client) ?? thrown) : thrown
      await client.query(`rollback to savepoint ${name}`)
      firstErrors.delete(client)
      throw error
    }
  }

  function crossTenantDbOn(on: pg.Pool | pg.ClientBase, attempt?: Attempt): CrossTenantDb {
    return {
      rows: async (statement, ...[args]) =>
        (await query(on, assertCrossTenant(statement), valuesOf(statement, args), attempt)).rows as never,
      first: async (statement, ...[args]) =>
        (await query(on, assertCrossTenant(statement), valuesOf(statement, args), attempt)).rows[0] as never,
      one: async (statement, ...[args]) =>
        onlyRow(statement, await query(on, assertCrossTenant(statement), valuesOf(statement, args), attempt)),
    }
  }

  async function inTransaction<Result>(
    work: (client: pg.PoolClient, attempt: Attempt) => Promise<Result>,
    last?: (client: pg.PoolClient, attempt: Attempt) => Promise<unknown>,
  ): Promise<Result> {
    const { result, pending } = await inSpan(transactionSpan, () => tryToCommit(work, last))
    for (const act of pending.afterCommit) act()
    return result
  }

  async function tryToCommit<Result>(
    work: (client: pg.PoolClient, attempt: Attempt) => Promise<Result>,
    last?: (client: pg.PoolClient, attempt: Attempt) => Promise<unknown>,
  ): Promise<{ result: Result; pending: PendingEffects }> {
    for (let attemptNumber = 1; ; attemptNumber++) {
      const attempt = newAttempt(0)
      const client = await pool.connect()
      let broken: Error | undefined
      firstErrors.delete(client)
      try {
        // BEGIN is not awaited: it is sent together with the first statement of the work
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
        // the COMMIT of a failed transaction reports ROLLBACK instead of an error
        if ((await commitQuery).command !== 'COMMIT')
          throw firstErrors.get(client) ?? new Error('The transaction was rolled back')
        return { result, pending: attempt.pending }
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
    crossTenant: crossTenantDbOn(pool),
    transact: (organizationId, work, last) =>
      inTransaction(
        (client, attempt) => work(txOn(client, organizationId, attempt)),
        last && ((client, attempt) => last(txOn(client, organizationId, attempt))),
      ),
    transactCrossTenant: work =>
      inTransaction((client, attempt) =>
        work({
          ...crossTenantDbOn(client, attempt),
          transaction: true,
          of: organizationId => txOn(client, organizationId, attempt),
        }),
      ),
    close: () => pool.end(),
  }
}

/** Sends a statement between two settings, which travel in the same round trip. */
async function queryWithGenericPlan(
  on: pg.Pool | pg.ClientBase,
  prepared: pg.QueryConfig,
): Promise<pg.QueryResult> {
  if (on instanceof pg.Pool) {
    const client = await on.connect()
    try {
      const result = await queryWithGenericPlan(client, prepared)
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }
  const settings = [on.query('set plan_cache_mode = force_generic_plan')]
  const answer = on.query(prepared)
  settings.push(on.query('reset plan_cache_mode'))
  // a setting fails only with its connection, or after the statement in its transaction, whose end undoes it
  for (const setting of settings) setting.catch(() => {})
  return answer
}

function onlyRow<Row>({ text }: AnyStatement, { rows: [row] }: pg.QueryResult): Row {
  if (row === undefined) throw new Error(`The statement has no row: ${text}`)
  return row as Row
}

function assertCrossTenant(statement: AnyStatement): AnyStatement {
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
