import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/** Work for threads: returns its thread after a while. */
export async function place({
  ms,
  fault,
}: {
  ms: number
  fault?: string
}): Promise<{ isMainThread: boolean }> {
  await sleep(ms)
  if (fault !== undefined) throw new Error(fault)
  return { isMainThread }
}
