import { join, resolve } from 'node:path'
import { openDisk } from './files/disk.ts'
import { StoreUnavailable } from './files/errors.ts'
import type { Files, S3Access } from './files/port.ts'

export { ObjectMissing, StoreUnavailable, TooLarge } from './files/errors.ts'
export type { Files, Incoming, S3Access } from './files/port.ts'
export { openWithin, readStreamWithin, readWithin } from './files/read-within.ts'

/** Where objects are kept: a folder, or a bucket with what is needed to reach it. */
export type FilesOptions = {
  /** `file:` and a folder, or `s3://bucket/prefix`. */
  url: string
  /** Where received bytes wait when the store is not on this machine. */
  dataDir: string
  s3: S3Access | undefined
}
/** Opens the store that the settings name. The client of S3 is loaded only when it is needed. */
export async function openFiles({ url, dataDir, s3 }: FilesOptions): Promise<Files> {
  if (url.startsWith('file:')) return openDisk(resolve(url.slice('file:'.length)))
  if (!s3) throw new StoreUnavailable(`Nothing says how to reach ${url}`)
  const { openS3 } = await import('./files/s3.ts')
  return openS3(url, s3, join(dataDir, 'incoming'))
}
