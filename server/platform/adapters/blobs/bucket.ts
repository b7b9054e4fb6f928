import { mkdir } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { S3Access } from '../files/port.ts'
import { openS3Client, putObject, sendToStore, withTimeout } from '../files/s3-client.ts'
import type { Blobs } from './port.ts'
import { receiveBlob } from './receive.ts'

const answerMs = 15_000

/** Blobs in a bucket of S3 or a compatible server. */
export async function openBucketBlobs(url: string, access: S3Access, spool: string): Promise<Blobs> {
  const { hostname: bucket, pathname } = new URL(url)
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  const keyOf = (name: string) => (prefix ? `${prefix}/${name}` : name)
  const client = openS3Client(access)
  await mkdir(spool, { recursive: true, mode: 0o700 })
  return {
    async write(name, source) {
      const received = await receiveBlob(spool, source)
      try {
        await putObject(client, { bucket, key: keyOf(name) }, received)
      } finally {
        await received.discard()
      }
      return { name, bytes: received.size, sha256: received.sha256 }
    },
    async read(name) {
      const leave = new AbortController()
      const timer = setTimeout(() => leave.abort(), answerMs)
      const get = new GetObjectCommand({ Bucket: bucket, Key: keyOf(name) })
      const { Body } = await sendToStore(() => client.send(get, { abortSignal: leave.signal })).finally(() =>
        clearTimeout(timer),
      )
      return Body as Readable
    },
    async *list(folder) {
      let token: string | undefined
      do {
        const page = new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: keyOf(`${folder}/`),
          ...(token !== undefined && { ContinuationToken: token }),
        })
        const { Contents = [], NextContinuationToken } = await sendToStore(() =>
          client.send(page, withTimeout(answerMs)),
        )
        for (const { Key = '', Size = 0, LastModified } of Contents) {
          const name = prefix ? Key.slice(prefix.length + 1) : Key
          yield { name, bytes: Size, changedAtMs: LastModified?.getTime() ?? 0 }
        }
        token = NextContinuationToken
      } while (token !== undefined)
    },
    async remove(name) {
      const gone = new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(name) })
      await sendToStore(() => client.send(gone, withTimeout(answerMs)))
    },
    close: () => client.destroy(),
  }
}
