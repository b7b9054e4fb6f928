import { Worker } from 'node:worker_threads'

/** What has no answer by then is given up. */
const patienceMs = 2_000

// it runs where nothing of ours is loaded
const program = `
  const { url, headers, bodies, isDone } = require('node:worker_threads').workerData
  const signal = AbortSignal.timeout(${patienceMs})
  Promise.allSettled(bodies.map(body => fetch(url, { method: 'POST', headers, body, signal }))).then(() => {
    Atomics.store(isDone, 0, 1)
    Atomics.notify(isDone, 0)
  })`

/** Posts bodies from a thread of their own and stands still until they are answered: for a process that is about to end. */
export function postAndWait(url: string, headers: Record<string, string>, bodies: readonly string[]): void {
  const isDone = new Int32Array(new SharedArrayBuffer(4))
  new Worker(program, { eval: true, execArgv: [], workerData: { url, headers, bodies, isDone } }).unref()
  Atomics.wait(isDone, 0, 0, patienceMs)
}
