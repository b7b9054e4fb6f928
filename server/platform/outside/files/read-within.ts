import { addAbortSignal, type Readable } from 'node:stream'
import { StoreUnavailable } from './errors.ts'
import type { Files } from './port.ts'

/**
 * Opens an object and reads it with `read`, both together within `ms` milliseconds: a disk that hangs does not refuse, it
 * gives nothing. Throws ObjectMissing, and StoreUnavailable when the time is over.
 */
export async function readWithin<Result>(
  files: Files,
  sha256: string,
  ms: number,
  read: (bytes: Readable) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ms)
  const timeIsOver = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () =>
      reject(new StoreUnavailable(`An object was not read within ${ms} ms`)),
    )
  })
  // what opens too late is closed at once
  const reading = files.open(sha256).then(bytes => read(addAbortSignal(late.signal, bytes)))
  try {
    return await Promise.race([reading, timeIsOver])
  } finally {
    clearTimeout(timer)
  }
}
