import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { ObjectMissing, StoreUnavailable } from './errors.ts'
import type { Incoming, S3Access } from './port.ts'

const connectMs = 3_000
/** How long the server may be silent. */
const silenceMs = 15_000
/** The time for an upload apart from its bytes, and the slowest speed for those. */
const uploadBaseMs = 20_000
const slowestBytesPerSecond = 256 * 1024
const attempts = 3

/** A client of S3 or a compatible server. */
export function openS3Client({ endpoint, region, accessKeyId, secretAccessKey }: S3Access): S3Client {
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

/** Ends a request after a time. */
export function withTimeout(ms: number): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(ms) }
}

/**
 * Sends a request to the store: a missing object becomes `ObjectMissing`, any other failure
 * `StoreUnavailable`.
 */
export async function sendToStore<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
    const isMissing = name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404)
    if (isMissing) throw new ObjectMissing('The bucket has no such object', { cause: error })
    throw new StoreUnavailable(`The object store failed: ${name}`, { cause: error })
  }
}

/** Stores received bytes under a key. The store refuses other bytes, because it checks their digest. */
export async function putObject(
  client: S3Client,
  { bucket, key }: { bucket: string; key: string },
  one: Incoming,
): Promise<void> {
  const ms = uploadBaseMs + Math.ceil((one.size / slowestBytesPerSecond) * 1000)
  for (let attempt = 1; ; attempt++) {
    const body = one.read()
    const put = new PutObjectCommand({
      Bucket: bucket,
      Key: key,
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
