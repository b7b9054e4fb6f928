import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { ObjectMissing, onDisk, StoreUnavailable } from './errors.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { Files, Incoming, S3Access } from './port.ts'
import { receiveInto, removeStaleUploads } from './spool.ts'

const connectMs = 3_000
/** How long the server may be silent. */
const silenceMs = 15_000
/** The time for an upload apart from its bytes, and the slowest speed for those. */
const uploadBaseMs = 20_000
const slowestBytesPerSecond = 256 * 1024
/** Less than housekeeping may keep its transaction open. */
const removeMs = 5_000
/** The time to find an object, or to receive its first byte. */
const openMs = 10_000
const attempts = 3

/**
 * Objects in a bucket of S3 or a compatible server, as `<prefix>/objects/ab/<digest>`. Bytes wait in a folder
 * of this machine until their digest is known; the store checks the upload against it.
 */
export async function openS3(url: string, access: S3Access, spool: string): Promise<Files> {
  const { hostname: bucket, pathname } = new URL(url)
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  const keyOf = (sha256: string) => `${prefix && `${prefix}/`}objects/${sha256.slice(0, 2)}/${sha256}`
  const client = clientOf(access)
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
    if (await isThere(one)) return
    const ms = uploadBaseMs + Math.ceil((one.size / slowestBytesPerSecond) * 1000)
    for (let attempt = 1; ; attempt++) {
      const body = one.read()
      const put = new PutObjectCommand({
        Bucket: bucket,
        Key: keyOf(one.sha256),
        Body: body,
        ContentLength: one.size,
        ContentType: 'application/octet-stream',
        ChecksumSHA256: Buffer.from(one.sha256, 'hex').toString('base64'),
      })
      // the digest is signed, so that the store refuses other bytes
      put.middlewareStack.add(
        next => async args => {
          const { headers } = args.request as { headers: Record<string, string> }
          headers['x-amz-content-sha256'] = one.sha256
          return next(args)
        },
        { step: 'build', name: 'digest' },
      )
      try {
        await sendToStore(() => client.send(put, withTimeout(ms)))
        return
      } catch (error) {
        // a stream cannot be sent twice, so the client itself does not retry
        if (attempt === attempts) throw error
      } finally {
        body.destroy()
      }
    }
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

function clientOf({ endpoint, region, accessKeyId, secretAccessKey }: S3Access): S3Client {
  return new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // self-hosted servers seldom have a host name per bucket
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    maxAttempts: attempts,
    // our digest covers the bytes; many servers do not know the checksums that AWS adds
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
    // errors are thrown, and the caller logs them
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })
}

function withTimeout(ms: number): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(ms) }
}

/**
 * Sends a request to the store: a missing object becomes `ObjectMissing`, any other failure
 * `StoreUnavailable`.
 */
async function sendToStore<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
    const isMissing = name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404)
    if (isMissing) throw new ObjectMissing('The bucket has no such object', { cause: error })
    throw new StoreUnavailable(`The object store failed: ${name}`, { cause: error })
  }
}
