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

const setGenericPlan = {
  name: 'generic_plan',
  // returns no row, which the statement behind it would take for one of its own
  text: `select from (select set_config('plan_cache_mode', 'force_generic_plan', true) as mode offset 0) s where s.mode is null`,
}

/** The parts of `pg` that its types do not declare. */
type WireConnection = {
  readonly stream: Socket
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  readonly submittedNamedStatements: Readonly<Record<string, string | undefined>>
  bind(message: { statement: string }): void
  execute(message: object): void
}
type WireQuery = pg.Submittable & {
  prepare(connection: WireConnection): void
  handleCommandComplete(message: object, connection: WireConnection): void
}
const Query = pg.Query as unknown as new (
  query: pg.QueryConfig,
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => WireQuery

/**
 * A prepared statement behind the setting for its plan, in one implicit transaction: no Sync separates the two, so PostgreSQL chooses
 * the plan with the setting, and the setting ends with the statement. It also works through a pooler that gives each transaction another
 * connection. The connection must have prepared `setGenericPlan`.
 */
class QueryWithGenericPlan extends Query {
  #isSet = false

  override prepare(connection: WireConnection): void {
    connection.bind({ statement: setGenericPlan.name })
    connection.execute({})
    super.prepare(connection)
  }

  override handleCommandComplete(message: object, connection: WireConnection): void {
    if (this.#isSet) super.handleCommandComplete(message, connection)
    this.#isSet = true
  }
}

/** Sends a statement with a setting for it alone, in the same round trip. */
async function queryWithGenericPlan(on: Connection, prepared: pg.QueryConfig): Promise<pg.QueryResult> {
  if (!(on instanceof pg.Pool)) return queryInTransaction(on, prepared)
  const client = await on.connect()
  try {
    const result = await queryAlone(client, prepared)
    client.release()
    return result
  } catch (error) {
    client.release(error as Error)
    // leads to the caller and not to the socket, as with the other queries of `pg`
    Error.captureStackTrace(error as Error)
    throw error
  }
}

function queryAlone(client: pg.ClientBase, prepared: pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream, parsedStatements, submittedNamedStatements } = wireOf(client)
  const { name } = setGenericPlan
  stream.cork()
  // alone, because the client takes the first answer to a Parse for that of its statement; if it fails, so does the statement
  if ((parsedStatements[name] ?? submittedNamedStatements[name]) === undefined)
    client.query(setGenericPlan).catch(() => {})
  const answer = new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(
      new QueryWithGenericPlan(prepared, (error, result) => (error ? reject(error) : resolve(result))),
    )
  })
  stream.uncork()
  return answer
}

/** Sends the statement between the setting and its end, which fail only with their connection or if the transaction has failed. */
function queryInTransaction(client: pg.ClientBase, prepared: pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream } = wireOf(client)
  stream.cork()
  const first = client.query('set local plan_cache_mode = force_generic_plan')
  const answer = client.query(prepared)
  const last = client.query('set local plan_cache_mode = default')
  stream.uncork()
  for (const other of [first, last]) other.catch(() => {})
  return answer
}

const wireOf = (client: pg.ClientBase) => (client as unknown as { connection: WireConnection }).connection
