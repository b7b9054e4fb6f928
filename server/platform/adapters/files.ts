import { join, resolve } from 'node:path'
import { openDisk } from './files/disk.ts'
import { StoreUnavailable } from './files/errors.ts'
import type { Files, S3Access } from './files/port.ts'

export { ObjectMissing, StoreUnavailable, TooLarge } from './files/errors.ts'
export type { Files, Incoming, S3Access } from './files/port.ts'
export { openWithin, readStreamWithin, readWithin } from './files/read-within.ts'

/** The location of the file store: a folder, or a bucket with its credentials. */
export type FilesOptions = {
  /** `file:` and a folder, or `s3://bucket/prefix`. */
  url: string
  /** Holds received bytes if the store is not on this machine. */
  dataDir: string
  s3: S3Access | undefined
}
/** Opens the configured store. The S3 client is loaded only if it is needed. */
export async function openFiles({ url, dataDir, s3 }: FilesOptions): Promise<Files> {
  if (url.startsWith('file:')) return openDisk(resolve(url.slice('file:'.length)))
  if (!s3) throw new StoreUnavailable(`The S3 settings for ${url} are missing`)
  const { openS3 } = await import('./files/s3.ts')
  return openS3(url, s3, join(dataDir, 'incoming'))
}
