import { resolve } from 'node:path'
import { openFolderBlobs } from './blobs/folder.ts'
import type { Blobs } from './blobs/port.ts'
import { StoreUnavailable } from './files/errors.ts'
import type { S3Access } from './files/port.ts'

export type { Blobs, WrittenBlob } from './blobs/port.ts'

/** The location of blobs: `file:` and a folder, or `s3://bucket/prefix`. `spool` holds bytes on their way to a bucket. */
export type BlobsOptions = { url: string; s3: S3Access | undefined; spool: string }

/** Opens the store of a URL. The S3 client is loaded only if it is needed. */
export async function openBlobs({ url, s3, spool }: BlobsOptions): Promise<Blobs> {
  if (url.startsWith('file:')) return openFolderBlobs(resolve(url.slice('file:'.length)))
  if (!s3) throw new StoreUnavailable(`The S3 settings for ${url} are missing`)
  const { openBucketBlobs } = await import('./blobs/bucket.ts')
  return openBucketBlobs(url, s3, spool)
}
