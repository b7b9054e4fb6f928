import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Load balancers abandon a probe after a second or more. */
const answerMs = 900

/**
 * Tells within a second whether requests can get a connection of `pool`: all may be in use, or the database
 * may accept no more, although it answers on existing ones. Concurrent probes share one query, so that they
 * cannot fill the queue of requests.
 */
export function openReadiness(pool: pg.Pool): () => Promise<boolean> {
  let query: Promise<boolean> | undefined
  function ask(): Promise<boolean> {
    query ??= pool
      .query('select 1')
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        query = undefined
      })
    return query
  }
  return () => Promise.race([ask(), sleep(answerMs, false, { ref: false })])
}
