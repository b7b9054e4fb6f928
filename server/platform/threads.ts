import { availableParallelism } from 'node:os'
import type { Piscina } from 'piscina'
import { fail } from './fail.ts'

/** One is enough on a small machine: the thread that answers requests needs a processor too. */
const maxThreads = Math.max(1, Math.min(4, availableParallelism() - 1))
/** A thread keeps what it loaded, such as fonts, as long as it may be needed again soon. */
const idleMs = 300_000
/** Work that waits for a thread. More is refused: it would wait longer than its caller does. */
const maxWaiting = 64
/** Longer, with its wait, than any work that the limits of the contract allow. */
const maxMs = 20_000

let pool: Promise<Piscina> | undefined
/** Work that runs or waits. */
let unfinished = 0

/**
 * Runs a function that a module exports in another thread: for work that takes longer than one request may keep the others
 * waiting. Input and result are copied, so they are plain data. Threads have a low priority, start with the first work and
 * end a while after the last. Refuses UNAVAILABLE when too much work waits or when it takes too long.
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
  // loaded with the first work
  const { Piscina } = await import('piscina')
  return new Piscina({
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    niceIncrement: 5,
  })
}
