import { once } from 'node:events'
import { addAbortSignal, type Readable } from 'node:stream'
import { StoreUnavailable } from './errors.ts'
import type { Files } from './port.ts'

type Store = Pick<Files, 'open'>

/**
 * Opens an object and reads it with `read`, both together within `ms` milliseconds: a disk that hangs does not refuse, it
 * gives nothing. Throws ObjectMissing, and StoreUnavailable when the time is over.
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
 * An object, or a range of it, whose first bytes came within `ms` milliseconds. The rest comes as fast as it is taken, so
 * the reader bounds how long it may take.
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

/** The same as `readWithin` for what is made of objects while it is read. */
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
  // what opens too late is closed at once
  const reading = open().then(bytes => read(addAbortSignal(timeoutController.signal, bytes)))
  try {
    return await Promise.race([reading, timeIsOver])
  } finally {
    clearTimeout(timer)
  }
}
