import { randomBytes } from 'node:crypto'
import type { Blobs, WrittenBlob } from '../platform/adapters/blobs.ts'
import { type Files, ObjectMissing } from '../platform/adapters/files.ts'
import { hiddenName, sealBlob } from '../platform/backup/sealed-blob.ts'
import { now } from '../platform/clock.ts'
import { type BaseBackupOptions, openBaseBackup } from '../platform/data/base-backup.ts'
import type { Database } from '../platform/data/database.ts'
import { allObjects, type StoredObject } from '../platform/data/stored-objects.ts'
import { programVersion } from '../platform/version.ts'
import { type BackedUpSecrets, type BackupManifest, writeManifest } from './manifest.ts'
import { cutIntoParts } from './parts.ts'

/** Plain bytes of the database archive in one blob: a failed upload repeats no more than this. */
const partBytes = 64 * 1024 * 1024
/** Files that are copied at once: small ones mostly wait for the disk. */
const filesAtOnce = 4

export type BackupContext = {
  blobs: Blobs
  /** 32 bytes that encrypt everything. */
  key: Buffer
  database: Database
  files: Files
  /** The embedded database; undefined: only files and secrets are backed up. */
  embeddedUrl: string | undefined
  publicUrl: string
  secrets: BackedUpSecrets
  reading: BaseBackupOptions
  /** Reports the bytes that were read so far. */
  onProgress?: (part: 'database' | 'files', bytes: number) => void
}

/**
 * Makes a backup while the server works. Everything that was committed before the end of the copy of the database is in it. The
 * files are copied before and after the database: the first time those that may be deleted while the database is copied, the
 * second time those that were added. A file that the store of backups has is not copied again. Returns the manifest, which is
 * stored last.
 */
export async function makeBackup(context: BackupContext): Promise<BackupManifest> {
  const { blobs, key, embeddedUrl, publicUrl, secrets } = context
  const at = now().toISOString()
  const id = `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${randomBytes(4).toString('hex')}`
  const copier = await openFileCopier(context)
  await copier.copyNew()
  const database = embeddedUrl === undefined ? null : await copyDatabase(context, embeddedUrl, id)
  await copier.copyNew()
  const list = await blobs.write(`filelists/${id}`, sealBlob(key, `filelists/${id}`, copier.list()))
  const manifest: BackupManifest = {
    format: 1,
    id,
    at,
    version: programVersion,
    publicUrl,
    database,
    files: { ...copier.sums(), list },
    secrets,
  }
  await writeManifest(blobs, key, manifest)
  return manifest
}

async function copyDatabase(
  { blobs, key, reading, onProgress }: BackupContext,
  embeddedUrl: string,
  id: string,
): Promise<BackupManifest['database']> {
  const backup = await openBaseBackup(embeddedUrl, reading)
  try {
    const parts: WrittenBlob[] = []
    let archiveBytes = 0
    for await (const part of cutIntoParts(backup.archive, partBytes)) {
      const name = partName(id, parts.length)
      parts.push(await blobs.write(name, sealBlob(key, name, part.bytes())))
      archiveBytes += part.size()
      onProgress?.('database', archiveBytes)
    }
    return { ...(await backup.end), archiveBytes, parts }
  } finally {
    await backup.close()
  }
}

function partName(id: string, number: number): string {
  return `databases/${id}/${String(number).padStart(6, '0')}`
}

/** The name of the blob of a file. */
export function fileBlobName(key: Buffer, sha256: string): string {
  const name = hiddenName(key, sha256)
  return `files/${name.slice(0, 2).toLowerCase()}/${name}`
}

type FileCopier = {
  /** Copies all registered files that were not copied before. */
  copyNew(): Promise<void>
  /** The files of the backup: the digest and the size in each line. */
  list(): AsyncGenerator<Buffer>
  sums(): { count: number; bytes: number; missing: number }
}

async function openFileCopier({
  blobs,
  key,
  database,
  files,
  onProgress,
}: BackupContext): Promise<FileCopier> {
  const stored = new Set<string>()
  for await (const { name } of blobs.list('files')) stored.add(name)
  const copied = new Map<string, number>()
  const missing = new Set<string>()
  let bytes = 0

  async function copy({ sha256, size }: StoredObject): Promise<void> {
    const name = fileBlobName(key, sha256)
    if (!stored.has(name)) {
      try {
        await blobs.write(name, sealBlob(key, name, await files.open(sha256)))
      } catch (error) {
        // registered, and its upload has not ended or was interrupted; or deleted since
        if (!(error instanceof ObjectMissing)) throw error
        missing.add(sha256)
        return
      }
      stored.add(name)
    }
    missing.delete(sha256)
    copied.set(sha256, size)
    bytes += size
    onProgress?.('files', bytes)
  }

  return {
    async copyNew() {
      const objects = allObjects(database)
      const worker = async () => {
        for (let one = await objects.next(); !one.done; one = await objects.next())
          if (!copied.has(one.value.sha256)) await copy(one.value)
      }
      await Promise.all(Array.from({ length: filesAtOnce }, worker))
    },
    async *list() {
      for (const [sha256, size] of copied) yield Buffer.from(`${sha256} ${size}\n`)
    },
    sums: () => ({ count: copied.size, bytes, missing: missing.size }),
  }
}
