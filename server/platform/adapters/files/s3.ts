import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { ObjectMissing, onDisk, StoreUnavailable } from './errors.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { Files, Incoming, S3Access } from './port.ts'
import { openS3Client, putObject, sendToStore, withTimeout } from './s3-client.ts'
import { receiveInto, removeStaleUploads } from './spool.ts'

/** Less than housekeeping may keep its transaction open. */
const removeMs = 5_000
/** The time to find an object, or to receive its first byte. */
const openMs = 10_000

/**
 * Objects in a bucket of S3 or a compatible server, as `<prefix>/objects/ab/<digest>`. Bytes wait in a folder
 * of this machine until their digest is known; the store checks the upload against it.
 */
export async function openS3(url: string, access: S3Access, spool: string): Promise<Files> {
  const { hostname: bucket, pathname } = new URL(url)
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  const keyOf = (sha256: string) => `${prefix && `${prefix}/`}objects/${sha256.slice(0, 2)}/${sha256}`
  const client = openS3Client(access)
  await mkdir(spool, { recursive: true, mode: 0o700 })

  async function isThere({ sha256, size }: Incoming): Promise<boolean> {
    const head = new HeadObjectCommand({ Bucket: bucket, Key: keyOf(sha256) })
    return sendToStore(() => client.send(head, withTimeout(openMs))).then(
      ({ ContentLength }) => ContentLength === size,
      error => {
        if (error instanceof ObjectMissing) return false
        throw error
      },
    )
  }

  async function send(one: Incoming): Promise<void> {
    if (!(await isThere(one))) await putObject(client, { bucket, key: keyOf(one.sha256) }, one)
  }

  return {
    receive: (source, maxBytes, isOwn) => receiveInto(spool, source, maxBytes, isOwn),
    async put(incoming) {
      await mapConcurrently(incoming, send)
      for (const one of incoming) await one.discard()
    },
    async open(sha256, range) {
      if (range?.length === 0) return Readable.from([])
      const get = new GetObjectCommand({
        Bucket: bucket,
        Key: keyOf(sha256),
        ...(range && { Range: `bytes=${range.start}-${range.start + range.length - 1}` }),
      })
      const leave = new AbortController()
      const timeoutController = setTimeout(() => leave.abort(), openMs)
      const { Body, ContentLength } = await sendToStore(() =>
        client.send(get, { abortSignal: leave.signal }),
      ).finally(() => clearTimeout(timeoutController))
      const bytes = Body as Readable
      if (range && ContentLength !== range.length) {
        bytes.destroy()
        throw new StoreUnavailable(
          `The object store returned ${ContentLength} bytes instead of ${range.length}`,
        )
      }
      return bytes
    },
    async remove(sha256) {
      const gone = new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(sha256) })
      await sendToStore(() => client.send(gone, withTimeout(removeMs))).catch(error => {
        if (!(error instanceof ObjectMissing)) throw error
      })
    },
    removeStaleUploads: () => onDisk(() => removeStaleUploads(spool)),
    close: () => client.destroy(),
  }
}
