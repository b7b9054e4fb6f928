import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { activeSpan } from '../traces.ts'
import type { Attempt } from './attempt.ts'
import { isConsequence } from './errors.ts'
import { assertTenantTied } from './guard.ts'
import { type Connection, queryPrepared, queryWithGenericPlan } from './prepared-query.ts'
import { RowDescriptions } from './row-descriptions.ts'
import type { AnyStatement } from './statement.ts'
import { traceStatement } from './trace-statement.ts'

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
  readonly #descriptions = new RowDescriptions()

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
    const answer = isGeneric
      ? queryWithGenericPlan(on, prepared, this.#descriptions)
      : queryPrepared(on, prepared, this.#descriptions)
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
