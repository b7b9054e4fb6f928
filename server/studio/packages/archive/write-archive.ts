import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { limits } from '#contract/limits.ts'
import { type Files, ObjectMissing, openWithin, readWithin } from '#platform/adapters/files.ts'
import { required } from '#platform/required.ts'
import type { PackageFile, StoredFile } from '../package-files.ts'

/** The earliest time that a ZIP can store. ZIP times are local times without a time zone. */
const mtime = new Date(1980, 0, 1)
const zipOptions = { mtime, forceDosTimestamp: true, compressionLevel: 6 } as const

/** Attachments up to this total size are loaded before the first byte is sent. */
const inMemoryBytes = 2 * 1_048_576
const concurrency = 8

/**
 * Writes a package as a ZIP. Equal files give equal bytes. Throws before the first byte if the store is unavailable, if any
 * attachment of a small package is missing, or if the first attachment of a large one is. The other attachments of a large
 * package are read while the archive is sent. An error then breaks the stream: an archive never ends early without an
 * error.
 */
export async function writeArchive(
  files: readonly PackageFile[],
  store: Pick<Files, 'open'>,
): Promise<Readable> {
  const bytes = files.reduce((sum, { content }) => sum + (Buffer.isBuffer(content) ? 0 : content.size), 0)
  return write(bytes > inMemoryBytes ? files : await withLoadedAttachments(files, store), store)
}

/** Loads the content of the attachments. */
async function withLoadedAttachments(
  files: readonly PackageFile[],
  store: Pick<Files, 'open'>,
): Promise<PackageFile[]> {
  const read = [...files]
  let next = 0
  const worker = async () => {
    while (next < files.length) {
      const at = next++
      const file = required(files[at], 'the next file')
      if (!isStored(file)) continue
      const content = await readWithin(store, file.content.sha256, limits.fileReadMs, buffer)
      if (content.length !== file.content.size) throw new ObjectMissing(`${file.content.sha256} is cut short`)
      read[at] = { ...file, content }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return read
}

async function write(files: readonly PackageFile[], store: Pick<Files, 'open'>): Promise<Readable> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const fail = (error: Error) => output.destroy(error)
  let current: Readable | undefined
  const open = async ({ sha256 }: StoredFile): Promise<Readable> => {
    const stream = await openWithin(store, sha256, limits.fileReadMs)
    stream.on('error', fail)
    if (output.destroyed) stream.destroy()
    current = stream
    return stream
  }
  const first = files.find(isStored)
  const opened = first && (await open(first.content))
  zip.once('error', fail)
  output.once('close', () => current?.destroy())
  for (const file of files) {
    const { path, mode, content } = file
    if (!isStored(file)) zip.addBuffer(content as Buffer, path, { ...zipOptions, mode })
    else {
      const options = { ...zipOptions, mode, size: file.content.size }
      zip.addReadStreamLazy(path, options, provide => {
        const stream =
          file === first ? Promise.resolve(required(opened, 'the first attachment')) : open(file.content)
        stream.then(ready => !output.destroyed && provide(null, ready), fail)
      })
    }
  }
  zip.end()
  return output
}

function isStored(file: PackageFile): file is PackageFile & { content: StoredFile } {
  return !Buffer.isBuffer(file.content)
}
