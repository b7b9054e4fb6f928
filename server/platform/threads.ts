import { availableParallelism } from 'node:os'
import type { Piscina } from 'piscina'
import { fail } from './fail.ts'

/** One is enough on a small machine: the thread that answers requests needs a processor too. */
const maxThreads = Math.max(1, Math.min(4, availableParallelism() - 1))
/** An idle thread keeps what it loaded, such as fonts, for this long. */
const idleMs = 300_000
/** Tasks that wait for a thread. More are refused, because they would wait longer than their callers do. */
const maxWaiting = 64
/** Longer than any task within the limits of the contract, including its wait. */
const maxMs = 20_000

let pool: Promise<Piscina> | undefined
/** Running and waiting tasks. */
let unfinished = 0

/**
 * Runs an exported function of a module in another thread, for work that would delay other requests too long.
 * Input and result are copied, so they must be plain data. Threads have a low priority, start with the first
 * task and end a while after the last. Throws UNAVAILABLE if too many tasks wait or the task takes too long.
 */
export async function inThread<Work extends (input: never) => unknown>(
  module: URL,
  name: string,
  input: Parameters<Work>[0],
): Promise<Awaited<ReturnType<Work>>> {
  pool ??= openPool()
  const threads = await pool
  if (unfinished >= maxThreads + maxWaiting) fail('UNAVAILABLE', { retryAfterSeconds: 5 })
  unfinished++
  try {
    return await threads.run(input, {
      filename: module.href,
      name,
      signal: AbortSignal.timeout(maxMs),
    })
  } catch (error) {
    if ((error as Error).name === 'AbortError') fail('UNAVAILABLE', { retryAfterSeconds: 5 })
    throw error
  } finally {
    unfinished--
  }
}

async function openPool(): Promise<Piscina> {
  // loaded with the first task
  const { Piscina } = await import('piscina')
  return new Piscina({
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    niceIncrement: 5,
  })
}
