import { once } from 'node:events'
import { addAbortSignal, type Readable } from 'node:stream'
import { StoreUnavailable } from './errors.ts'
import type { Files } from './port.ts'

type Store = Pick<Files, 'open'>

/**
 * Opens an object and reads it with `read`, together within `ms` milliseconds, because a hanging disk does
 * not fail. Throws ObjectMissing, and StoreUnavailable after that time.
 */
export function readWithin<Result>(
  store: Store,
  sha256: string,
  ms: number,
  read: (bytes: Readable) => Promise<Result>,
): Promise<Result> {
  return readStreamWithin(() => store.open(sha256), ms, read)
}

/**
 * An object, or a range of it, whose first bytes must arrive within `ms` milliseconds. The reader limits the
 * time for the rest.
 */
export function openWithin(
  store: Store,
  sha256: string,
  ms: number,
  range?: { start: number; length: number },
): Promise<Readable> {
  return readStreamWithin(
    () => store.open(sha256, range),
    ms,
    async bytes => {
      await once(bytes, 'readable')
      return bytes
    },
  )
}

/** `readWithin` for a stream that is built from objects while it is read. */
export async function readStreamWithin<Result>(
  open: () => Promise<Readable>,
  ms: number,
  read: (bytes: Readable) => Promise<Result>,
): Promise<Result> {
  const timeoutController = new AbortController()
  const timer = setTimeout(() => timeoutController.abort(), ms)
  const timeIsOver = new Promise<never>((_, reject) => {
    timeoutController.signal.addEventListener('abort', () =>
      reject(new StoreUnavailable(`An object was not read within ${ms} ms`)),
    )
  })
  // a stream that opens too late is closed at once
  const reading = open().then(bytes => read(addAbortSignal(timeoutController.signal, bytes)))
  try {
    return await Promise.race([reading, timeIsOver])
  } finally {
    clearTimeout(timer)
  }
}
