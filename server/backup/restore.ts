import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Blobs } from '../platform/adapters/blobs.ts'
import type { Files } from '../platform/adapters/files.ts'
import { BlobUnreadable, openBlob } from '../platform/backup/sealed-blob.ts'
import { unpackFolder } from '../platform/backup/unpack-folder.ts'
import { fileBlobName } from './backup.ts'
import type { BackedUpSecrets, BackupManifest } from './manifest.ts'

/** The target of a restore cannot be used, or the backup is incomplete. */
export class RestoreRefused extends Error {
  readonly isForPeople = true
}

export type RestoreContext = {
  blobs: Blobs
  key: Buffer
  manifest: BackupManifest
  onProgress?: (part: 'database' | 'files', bytes: number) => void
}

/** Files that are read at once. */
const filesAtOnce = 4

/** Refuses a data folder that has a database or secrets: a restore never overwrites them. */
export async function assertNothingThere(dataDir: string): Promise<void> {
  const found = ['postgres', 'secrets.json'].filter(name => existsSync(join(dataDir, name)))
  if (found.length === 0) return
  throw new RestoreRefused(
    `${join(dataDir, found[0]!)} exists. Restore into an empty folder: set DATA_DIR to a new one, or move the old one away.`,
  )
}

/** Restores the embedded database as `postgres` in a folder. PostgreSQL replays the write-ahead log at its first start. */
export async function restoreDatabase(context: RestoreContext, folder: string): Promise<void> {
  const target = join(folder, 'postgres')
  await mkdir(target, { recursive: true, mode: 0o700 })
  await unpackFolder(databaseArchive(context), target)
}

/** The archive of the database. Throws BlobUnreadable if a part is missing, altered or of another backup. */
async function* databaseArchive({
  blobs,
  key,
  manifest,
  onProgress,
}: RestoreContext): AsyncGenerator<Buffer> {
  let bytes = 0
  for (const { name, sha256 } of manifest.database?.parts ?? []) {
    const digest = createHash('sha256')
    for await (const chunk of openBlob(key, name, hashed(await blobs.read(name), digest))) {
      bytes += chunk.length
      onProgress?.('database', bytes)
      yield chunk
    }
    if (digest.digest('hex') !== sha256)
      throw new BlobUnreadable(`${name} is not the part that the manifest of the backup names.`)
  }
}

async function* hashed(source: Readable, digest: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    digest.update(chunk)
    yield chunk
  }
}

/** Stores the files of the backup again. The file store computes their digests anew. Returns their digests. */
export async function restoreFiles(context: RestoreContext, files: Files): Promise<Set<string>> {
  return eachFile(context, async ({ sha256, size, bytes }) => {
    const received = await files.receive(Readable.from(bytes, { objectMode: false }), size, true)
    if (received.sha256 !== sha256) {
      await received.discard()
      throw altered(sha256)
    }
    await files.put([received])
  })
}

/** Reads all files of the backup and checks their digests, without storing them. Returns their digests. */
export async function checkFiles(context: RestoreContext): Promise<Set<string>> {
  return eachFile(context, async ({ sha256, bytes }) => {
    const digest = createHash('sha256')
    for await (const chunk of bytes) digest.update(chunk)
    if (digest.digest('hex') !== sha256) throw altered(sha256)
  })
}

function altered(sha256: string): BlobUnreadable {
  return new BlobUnreadable(`The file ${sha256} of the backup has other content.`)
}

type BackedUpFile = { sha256: string; size: number; bytes: AsyncIterable<Buffer> }

async function eachFile(
  { blobs, key, manifest, onProgress }: RestoreContext,
  work: (file: BackedUpFile) => Promise<void>,
): Promise<Set<string>> {
  const { name } = manifest.files.list
  const list = Readable.from(openBlob(key, name, await blobs.read(name)), { objectMode: false })
  const lines = createInterface({ input: list, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
  const digests = new Set<string>()
  let done = 0
  const worker = async () => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      const [sha256 = '', size] = line.value.split(' ')
      const blob = fileBlobName(key, sha256)
      await work({ sha256, size: Number(size), bytes: openBlob(key, blob, await blobs.read(blob)) })
      digests.add(sha256)
      done += Number(size)
      onProgress?.('files', done)
    }
  }
  await Promise.all(Array.from({ length: filesAtOnce }, worker))
  if (digests.size !== manifest.files.count)
    throw new BlobUnreadable(`The backup has ${digests.size} of ${manifest.files.count} files.`)
  return digests
}

/** Writes the secrets where a server without settings for them finds them. */
export async function restoreSecrets(dataDir: string, secrets: BackedUpSecrets): Promise<void> {
  const path = join(dataDir, 'secrets.json')
  await writeFile(`${path}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}
