import { buffer } from 'node:stream/consumers'
import type { Blobs, WrittenBlob } from '../platform/adapters/blobs.ts'
import { openBlob, sealBlob } from '../platform/backup/sealed-blob.ts'
import type { BackupPosition } from '../platform/data/base-backup.ts'

/** The secrets without which the data of a backup cannot be read. */
export type BackedUpSecrets = {
  signInSecret: string
  sessionKeys: { kid: string; secret: string }[]
  formerSecrets: string[]
  provenanceKey: string | null
}

/** The content of a backup. It is stored last, encrypted, as `manifests/<id>`: without it there is no backup. */
export type BackupManifest = {
  format: 1
  id: string
  /** The time at which the backup began. */
  at: string
  /** The version of Patio. */
  version: string
  publicUrl: string
  /** Null if the database is not the embedded one: its own tools back it up. */
  database: (BackupPosition & { archiveBytes: number; parts: WrittenBlob[] }) | null
  files: {
    count: number
    bytes: number
    /** The digests and sizes of the files, one in each line. */
    list: WrittenBlob
    /** Files of the database that the file store did not have. */
    missing: number
  }
  secrets: BackedUpSecrets
}

const folder = 'manifests'
const idForm = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/
/** A manifest names each part of the database. */
const maxManifestBytes = 64 * 1024 * 1024

export async function writeManifest(blobs: Blobs, key: Buffer, manifest: BackupManifest): Promise<void> {
  const name = `${folder}/${manifest.id}`
  await blobs.write(name, sealBlob(key, name, once(JSON.stringify(manifest))))
}

/** Throws ObjectMissing for an unknown backup, and BlobUnreadable with another key. */
export async function readManifest(blobs: Blobs, key: Buffer, id: string): Promise<BackupManifest> {
  const name = `${folder}/${id}`
  const text = await buffer(openBlob(key, name, await blobs.read(name)))
  return JSON.parse(text.toString()) as BackupManifest
}

/** The ids of all complete backups, oldest first. An id begins with its time. */
export async function listBackups(blobs: Blobs): Promise<string[]> {
  const ids: string[] = []
  for await (const { name, bytes } of blobs.list(folder)) {
    const id = name.slice(folder.length + 1)
    if (idForm.test(id) && bytes <= maxManifestBytes) ids.push(id)
  }
  return ids.sort()
}

/** The time in the id of a backup, in milliseconds. */
export function timeOfBackup(id: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(id)?.map(Number) ?? []
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
