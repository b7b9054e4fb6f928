import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Balancers give up on a probe after a second or more. */
const answerMs = 900

/**
 * Says within a second whether requests get a connection of `pool`: all may be taken, or the database may give no more,
 * although it answers those who have one. Everybody who asks meanwhile shares one query, so that probes cannot fill the
 * line in which requests wait.
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
