import type { Socket } from 'node:net'
import pg from 'pg'
import type { RowDescriptions, RowShape } from './row-descriptions.ts'

export type Connection = pg.Pool | pg.ClientBase

/** The parts of `pg` that its types do not declare. */
type WireConnection = {
  readonly stream: Socket
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  readonly submittedNamedStatements: Readonly<Record<string, string | undefined>>
  bind(message: { statement: string }): void
  execute(message: object): void
  describe(message: object): void
}
type WireQuery = pg.Submittable & {
  readonly name: string
  readonly _result: RowShape
  _accumulateRows: boolean
  prepare(connection: WireConnection): void
  handleCommandComplete(message: object, connection: WireConnection): void
}
type Answered = (error: Error | null, result: pg.QueryResult) => void
const Query = pg.Query as unknown as new (query: pg.QueryConfig, callback?: Answered) => WireQuery

const sendNothing = () => {}

/** A prepared statement that asks PostgreSQL only once for a description of its rows. `pg` asks at each call. */
class PreparedQuery extends Query {
  readonly #descriptions: RowDescriptions
  #isDescribed = false

  constructor(prepared: pg.QueryConfig, descriptions: RowDescriptions, answered?: Answered) {
    super(prepared, answered)
    this.#descriptions = descriptions
  }

  override prepare(connection: WireConnection): void {
    const shape = this.#descriptions.of(connection, this.name)
    if (!shape) {
      super.prepare(connection)
      return
    }
    this.#isDescribed = true
    Object.assign(this._result, shape)
    this._accumulateRows = true
    const { describe } = connection
    connection.describe = sendNothing
    try {
      super.prepare(connection)
    } finally {
      connection.describe = describe
    }
  }

  override handleCommandComplete(message: object, connection: WireConnection): void {
    super.handleCommandComplete(message, connection)
    if (this.#isDescribed) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    const shape = { fields, _parsers, _prebuiltEmptyResultObject }
    this.#descriptions.remember(connection, this.name, shape)
  }
}

const setGenericPlan = {
  name: 'generic_plan',
  // returns no row, which the statement behind it would take for one of its own
  text: `select from (select set_config('plan_cache_mode', 'force_generic_plan', true) as mode offset 0) s where s.mode is null`,
}

/**
 * A prepared statement behind the setting for its plan, in one implicit transaction: no Sync separates the two, so PostgreSQL chooses
 * the plan with the setting, and the setting ends with the statement. It also works through a pooler that gives each transaction another
 * connection. The connection must have prepared `setGenericPlan`.
 */
class QueryWithGenericPlan extends PreparedQuery {
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

/** Sends a statement. On a client it is sent before this returns. */
export function queryPrepared(
  on: Connection,
  prepared: pg.QueryConfig,
  descriptions: RowDescriptions,
): Promise<pg.QueryResult> {
  if (on instanceof pg.Pool)
    return on.query(new PreparedQuery(prepared, descriptions)) as unknown as Promise<pg.QueryResult>
  return queryOn(on, answered => new PreparedQuery(prepared, descriptions, answered))
}

async function queryOn(
  client: pg.ClientBase,
  queryFor: (answered: Answered) => WireQuery,
): Promise<pg.QueryResult> {
  try {
    return await new Promise<pg.QueryResult>((resolve, reject) => {
      client.query(queryFor((error, result) => (error ? reject(error) : resolve(result))))
    })
  } catch (error) {
    // leads to the caller and not to the socket, as with the other queries of `pg`
    Error.captureStackTrace(error as Error)
    throw error
  }
}

/** Sends a statement with a setting for it alone, in the same round trip. */
export async function queryWithGenericPlan(
  on: Connection,
  prepared: pg.QueryConfig,
  descriptions: RowDescriptions,
): Promise<pg.QueryResult> {
  if (!(on instanceof pg.Pool)) return queryInTransaction(on, prepared, descriptions)
  const client = await on.connect()
  try {
    const result = await queryAlone(client, prepared, descriptions)
    client.release()
    return result
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

function queryAlone(
  client: pg.ClientBase,
  prepared: pg.QueryConfig,
  descriptions: RowDescriptions,
): Promise<pg.QueryResult> {
  const { stream, parsedStatements, submittedNamedStatements } = wireOf(client)
  const { name } = setGenericPlan
  stream.cork()
  // alone, because the client takes the first answer to a Parse for that of its statement; if it fails, so does the statement
  if ((parsedStatements[name] ?? submittedNamedStatements[name]) === undefined)
    client.query(setGenericPlan).catch(() => {})
  const answer = queryOn(client, answered => new QueryWithGenericPlan(prepared, descriptions, answered))
  stream.uncork()
  return answer
}

/** Sends the statement between the setting and its end, which fail only with their connection or if the transaction has failed. */
function queryInTransaction(
  client: pg.ClientBase,
  prepared: pg.QueryConfig,
  descriptions: RowDescriptions,
): Promise<pg.QueryResult> {
  const { stream } = wireOf(client)
  stream.cork()
  const first = client.query('set local plan_cache_mode = force_generic_plan')
  const answer = queryPrepared(client, prepared, descriptions)
  const last = client.query('set local plan_cache_mode = default')
  stream.uncork()
  for (const other of [first, last]) other.catch(() => {})
  return answer
}

const wireOf = (client: pg.ClientBase) => (client as unknown as { connection: WireConnection }).connection
