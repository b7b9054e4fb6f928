import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

// A program: an S3 server on a folder and a port, with one bucket, `patio`.

type Made = { bucket: string; key: string; content: Buffer | Readable; metadata: object }
type Store = {
  getResourcePath(bucket: string, key: string, resource: string): string
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>
  putObject(object: Made): Promise<{ size: number; md5: string }>
  getObject(bucket: string, key: string, options: unknown): Promise<unknown>
  existsObject(bucket: string, key: string): Promise<boolean>
  deleteObject(bucket: string, key: string): Promise<unknown>
}
type Server = { store: Store; run(): Promise<AddressInfo> }

const [folder, port] = process.argv.slice(2) as [string, string]
const S3rver: new (options: object) => Server = createRequire(import.meta.url)('s3rver')
mkdirSync(folder, { recursive: true })
const server = new S3rver({
  directory: folder,
  port: Number(port),
  silent: true,
  configureBuckets: [{ name: 'patio', configs: [] }],
})
makeWhole(server.store)
process.stdout.write(`${(await server.run()).port}\n`)

/**
 * As in S3, an object exists completely or not at all. The store itself replies before the bytes are in their
 * file, and does not serialize writes and deletes: here one waits for the other.
 */
function makeWhole(store: Store): void {
  const { getObject, existsObject, deleteObject } = store
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  store.getObject = (...of) => inTurn(() => getObject.apply(store, of))
  store.deleteObject = (...of) =>
    inTurn(async () => (await existsObject.apply(store, of)) && deleteObject.apply(store, of))
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content)
    const md5 = createHash('md5').update(bytes).digest('hex')
    const path = store.getResourcePath(bucket, key, 'object')
    await inTurn(async () => {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.new`, bytes)
      await store.putMetadata(bucket, key, metadata, md5)
      await rename(`${path}.new`, path)
    })
    return { size: bytes.length, md5 }
  }
}
