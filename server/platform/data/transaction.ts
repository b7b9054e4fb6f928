import type pg from 'pg'
import { inSpan, type SpanStart } from '../traces.ts'
import { Attempt } from './attempt.ts'
import type { PendingEffects } from './db.ts'
import { isReadOnly, isRetryable } from './errors.ts'
import type { StatementSender } from './statement-sender.ts'

type Work<Result> = (client: pg.PoolClient, attempt: Attempt) => Promise<Result>

const transactionSpan: SpanStart = { name: 'transaction', kind: 'internal' }
/** A serialization failure or a deadlock is tried again, with the work from its beginning. */
const maxAttempts = 3

/** Runs one transaction, and after its commit what it left to do. `last` sends its statements just before the commit. */
export async function runTransaction<Result>(
  pool: pg.Pool,
  sender: StatementSender,
  work: Work<Result>,
  last?: Work<unknown>,
): Promise<Result> {
  const { result, pending } = await inSpan(transactionSpan, () => commitWithRetries(pool, sender, work, last))
  for (const act of pending.afterCommit) act()
  return result
}

async function commitWithRetries<Result>(
  pool: pg.Pool,
  sender: StatementSender,
  work: Work<Result>,
  last: Work<unknown> | undefined,
): Promise<{ result: Result; pending: PendingEffects }> {
  for (let attemptNumber = 1; ; attemptNumber++) {
    const attempt = new Attempt(0)
    const client = await pool.connect()
    let broken: Error | undefined
    sender.forgetErrorsOn(client)
    try {
      return { result: await commit(client, attempt, sender, work, last), pending: attempt.pending }
    } catch (thrown) {
      const error = sender.causeOf(thrown, client)
      attempt.end()
      await client.query('rollback').catch((connectionError: Error) => {
        broken = connectionError
      })
      // the next connection may lead to the server that took over
      if (isReadOnly(error)) broken = error as Error
      if (attemptNumber < maxAttempts && isRetryable(error)) continue
      throw error
    } finally {
      client.release(broken)
    }
  }
}

/** BEGIN is sent together with the first statement of the work, and COMMIT together with the last statements. */
async function commit<Result>(
  client: pg.PoolClient,
  attempt: Attempt,
  sender: StatementSender,
  work: Work<Result>,
  last: Work<unknown> | undefined,
): Promise<Result> {
  const beginQuery = client.query('begin')
  beginQuery.catch(() => {})
  const result = await work(client, attempt)
  await beginQuery
  attempt.assertOpen()
  const lastStatements = last?.(client, attempt)
  lastStatements?.catch(() => {})
  attempt.end()
  const commitQuery = client.query('commit')
  commitQuery.catch(() => {})
  await lastStatements
  // the COMMIT of a failed transaction reports ROLLBACK instead of an error
  if ((await commitQuery).command !== 'COMMIT')
    throw sender.firstErrorOn(client) ?? new Error('The transaction was rolled back')
  return result
}
