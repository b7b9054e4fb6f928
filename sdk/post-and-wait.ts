import { Worker } from 'node:worker_threads'

// it runs where nothing of ours is loaded
const program = `
  const { url, headers, bodies, timeoutMs, isDone } = require('node:worker_threads').workerData
  const signal = AbortSignal.timeout(timeoutMs)
  Promise.allSettled(bodies.map(body => fetch(url, { method: 'POST', headers, body, signal }))).then(() => {
    Atomics.store(isDone, 0, 1)
    Atomics.notify(isDone, 0)
  })`

/**
 * Posts bodies from another thread and blocks until there are responses, for at most `timeoutMs`: for a
 * process that is about to end.
 */
export function postAndWait(
  url: string,
  headers: Record<string, string>,
  bodies: readonly string[],
  timeoutMs: number,
): void {
  const isDone = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { url, headers, bodies, timeoutMs, isDone }
  new Worker(program, { eval: true, execArgv: [], workerData }).unref()
  Atomics.wait(isDone, 0, 0, timeoutMs)
}
