import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reply } from '#contract/operation.ts'
import { uploadFiles } from '#contract/studio/files.ts'
import type { Client } from '#sdk/client.ts'
import type { TestServer } from '../test-server.ts'

type Bytes = string | Uint8Array

/** A form of files. The path of each is sent as its file name. */
export function formOf(...files: [path: string, bytes: Bytes][]): FormData {
  const form = new FormData()
  for (const [path, bytes] of files) form.append('file', new Blob([bytes as string]), path)
  return form
}

/** Uploads files to a version. Default: the active one. */
export function addFiles(
  person: Client,
  assetId: string,
  files: [path: string, bytes: Bytes][],
  version = 'current',
): Promise<Reply<typeof uploadFiles>> {
  return person.call(uploadFiles, { params: { id: assetId, version }, form: formOf(...files) })
}

export function sha256Of(bytes: Bytes): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Makes the disk hang for an object: it opens, but reads never return. The returned function ends this: waiting reads find
 * the end of the file, later ones the object.
 */
export async function hangObject(server: TestServer, sha256: string): Promise<() => Promise<void>> {
  const path = join(server.config.filesUrl.slice('file:'.length), 'objects', sha256.slice(0, 2), sha256)
  renameSync(path, `${path}.kept`)
  execFileSync('/usr/bin/mkfifo', [path])
  const writer = await open(path, 'r+')
  return async () => {
    rmSync(path)
    renameSync(`${path}.kept`, path)
    await writer.close()
  }
}

/** The digests of the objects that a test server has on disk, and the number of incoming files. */
export function stored(server: TestServer): { objects: string[]; incoming: number } {
  const root = server.config.filesUrl.slice('file:'.length)
  for (const name of ['objects', 'incoming']) mkdirSync(join(root, name), { recursive: true })
  const objects = readdirSync(join(root, 'objects'), { recursive: true, withFileTypes: true })
  return {
    objects: objects
      .filter(entry => entry.isFile())
      .map(({ name }) => name)
      .sort(),
    incoming: readdirSync(join(root, 'incoming')).length,
  }
}
