import type pg from 'pg'
import { Attempt } from './attempt.ts'
import type { CrossTenantDb, CrossTenantTx, Db, Tx } from './db.ts'
import type { Connection } from './prepared-query.ts'
import { type AnyStatement, valuesOf } from './statement.ts'
import type { StatementSender } from './statement-sender.ts'

/** The handle for one organization, on a pool or in a transaction. `on` says where, at each statement. */
export function dbOn(
  sender: StatementSender,
  on: () => Connection,
  organizationId: string,
  attempt?: Attempt,
): Db {
  const send = (statement: AnyStatement, args: object | undefined) =>
    sender.send(on(), statement, valuesOf(statement, args, organizationId), attempt)
  return {
    organizationId,
    rows: async (statement, ...[args]) => (await send(statement, args)).rows as never,
    first: async (statement, ...[args]) => (await send(statement, args)).rows[0] as never,
    one: async (statement, ...[args]) => onlyRow(statement, await send(statement, args)),
  }
}

export function txOn(
  sender: StatementSender,
  client: pg.ClientBase,
  organizationId: string,
  attempt: Attempt,
): Tx {
  return {
    ...dbOn(sender, () => client, organizationId, attempt),
    transaction: true,
    pending: attempt.pending,
    run: async (statement, ...[args]) =>
      (await sender.send(client, statement, valuesOf(statement, args, organizationId), attempt)).rowCount ??
      0,
    inOrder: (...steps) => attempt.startInOrder(steps) as never,
    savepoint: work =>
      runSavepoint(sender, client, attempt, part => work(txOn(sender, client, organizationId, part))),
  }
}

export function crossTenantDbOn(sender: StatementSender, on: Connection, attempt?: Attempt): CrossTenantDb {
  return {
    rows: async (statement, ...[args]) =>
      (await sender.send(on, assertCrossTenant(statement), valuesOf(statement, args), attempt)).rows as never,
    first: async (statement, ...[args]) =>
      (await sender.send(on, assertCrossTenant(statement), valuesOf(statement, args), attempt))
        .rows[0] as never,
    one: async (statement, ...[args]) =>
      onlyRow(
        statement,
        await sender.send(on, assertCrossTenant(statement), valuesOf(statement, args), attempt),
      ),
  }
}

export function crossTenantTxOn(
  sender: StatementSender,
  client: pg.ClientBase,
  attempt: Attempt,
): CrossTenantTx {
  return {
    ...crossTenantDbOn(sender, client, attempt),
    transaction: true,
    of: organizationId => txOn(sender, client, organizationId, attempt),
  }
}

/** Runs a part of a transaction that may fail alone. Its events and its work after the commit count if it succeeds. */
async function runSavepoint<Result>(
  sender: StatementSender,
  client: pg.ClientBase,
  attempt: Attempt,
  work: (part: Attempt) => Promise<Result>,
): Promise<Result> {
  attempt.assertOpen()
  const part = new Attempt(attempt.depth + 1)
  attempt.openSavepoint = part
  try {
    const result = await trySavepoint(sender, client, attempt, part, work)
    const { events, afterCommit, ...marks } = part.pending
    attempt.pending.events.push(...events)
    attempt.pending.afterCommit.push(...afterCommit)
    Object.assign(attempt.pending, marks)
    return result
  } finally {
    part.end()
    attempt.openSavepoint = undefined
  }
}

async function trySavepoint<Result>(
  sender: StatementSender,
  client: pg.ClientBase,
  attempt: Attempt,
  part: Attempt,
  work: (part: Attempt) => Promise<Result>,
): Promise<Result> {
  const name = `part_${part.depth}`
  await client.query(`savepoint ${name}`)
  try {
    const result = await work(part)
    part.assertOpen()
    part.end()
    await client.query(`release savepoint ${name}`)
    return result
  } catch (thrown) {
    part.end()
    // nothing is left to undo, and the connection may already serve the next transaction
    if (attempt.hasEnded) throw thrown
    const error = sender.causeOf(thrown, client)
    await client.query(`rollback to savepoint ${name}`)
    sender.forgetErrorsOn(client)
    throw error
  }
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
