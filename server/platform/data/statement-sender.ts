import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { activeSpan } from '../traces.ts'
import type { Attempt } from './attempt.ts'
import { isConsequence } from './errors.ts'
import { assertTenantTied } from './guard.ts'
import type { AnyStatement } from './statement.ts'
import { traceStatement } from './trace-statement.ts'

export type Connection = pg.Pool | pg.ClientBase

/** The properties of a database that decide how a statement is sent. */
export type DatabaseSchema = {
  /** The tables with a column for the organization. */
  readonly tenantTables: ReadonlySet<string>
  /** Whether the database has the extension Citus. */
  readonly hasCitus: boolean
}

/**
 * Sends statements as named prepared statements. Each is checked by the guard before it is sent for the first time. Remembers the
 * first error of each connection: of statements that were sent together, only that one tells the cause.
 */
export class StatementSender {
  readonly #schema: DatabaseSchema
  readonly #checked = new WeakSet<AnyStatement>()
  readonly #firstErrors = new WeakMap<pg.ClientBase, unknown>()

  constructor(schema: DatabaseSchema) {
    this.#schema = schema
  }

  /** Sends before it returns: the statements arrive in the order of the calls, which a commit relies on. */
  send(
    on: Connection,
    statement: AnyStatement,
    values: unknown[],
    attempt?: Attempt,
  ): Promise<pg.QueryResult> {
    // a branch of the work may continue after another one failed: its statement would run in the next
    // transaction of this connection, or in the remains of this one
    if (attempt) {
      attempt.assertOpen()
      attempt.sent++
    }
    if (!this.#checked.has(statement)) {
      assertTenantTied(statement, this.#schema.tenantTables)
      this.#checked.add(statement)
    }
    const { name, plan } = statement
    const text = (this.#schema.hasCitus && statement.textOnCitus) || statement.text
    const prepared = { name, text, values }
    // Citus plans a statement only with the values, which say where the shard is
    const isGeneric = plan === 'generic' && !this.#schema.hasCitus
    const answer = isGeneric ? queryWithGenericPlan(on, prepared) : on.query(prepared)
    const span = activeSpan()
    if (span) traceStatement(span, statement, answer)
    if (on instanceof pg.Pool) return answer
    return answer.catch(async error => {
      if (!this.#firstErrors.has(on)) this.#firstErrors.set(on, error)
      // lets a handler that turns the first error into a refusal run before this consequence is thrown
      if (isConsequence(error)) await setImmediate()
      throw error
    })
  }

  /** The error that explains `thrown`: the first one on the connection, if `thrown` only says that another statement failed. */
  causeOf(thrown: unknown, client: pg.ClientBase): unknown {
    return isConsequence(thrown) ? (this.#firstErrors.get(client) ?? thrown) : thrown
  }

  firstErrorOn(client: pg.ClientBase): unknown {
    return this.#firstErrors.get(client)
  }

  forgetErrorsOn(client: pg.ClientBase): void {
    this.#firstErrors.delete(client)
  }
}

const begin = 'begin; set local plan_cache_mode = force_generic_plan'

/**
 * Sends a statement with a setting for it alone, in the same round trip. The setting ends with a transaction, so it also works through a
 * pooler that gives each transaction another connection.
 */
async function queryWithGenericPlan(on: Connection, prepared: pg.QueryConfig): Promise<pg.QueryResult> {
  if (on instanceof pg.Pool) {
    const client = await on.connect()
    try {
      const result = await queryBetween(client, begin, prepared, 'commit')
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }
  return queryBetween(
    on,
    'set local plan_cache_mode = force_generic_plan',
    prepared,
    'set local plan_cache_mode = default',
  )
}

/** Sends the three together, in one write to the socket. The others fail only with their connection, or after the statement in its transaction. */
function queryBetween(
  on: pg.ClientBase,
  before: string,
  prepared: pg.QueryConfig,
  after: string,
): Promise<pg.QueryResult> {
  const { stream } = (on as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  const first = on.query(before)
  const answer = on.query(prepared)
  const last = on.query(after)
  stream.uncork()
  for (const other of [first, last]) other.catch(() => {})
  return answer
}
