import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { limits } from '#contract/limits.ts'
import { type Files, ObjectMissing, openWithin, readWithin } from '#platform/adapters/files.ts'
import type { PackageFile, StoredFile } from '../package-files.ts'

/** The beginning of time for archives, in whatever time zone: they hold local time. */
const mtime = new Date(1980, 0, 1)
const zipOptions = { mtime, forceDosTimestamp: true, compressionLevel: 6 } as const

/** Attachments of at most so many bytes together are read before the first byte is written. */
const inMemoryBytes = 2 * 1_048_576
const concurrency = 8

/**
 * A package as a ZIP. Equal files give equal bytes. What can be known before the first byte throws here: that the store
 * cannot be reached or hangs, of a package that is not large that any attachment is missing, of others that the first one is.
 * The others are read one after the other as the archive is read, and one that fails breaks the stream: an archive is
 * never cut short silently.
 */
export async function writeArchive(
  files: readonly PackageFile[],
  store: Pick<Files, 'open'>,
): Promise<Readable> {
  const bytes = files.reduce((sum, { content }) => sum + (Buffer.isBuffer(content) ? 0 : content.size), 0)
  return write(bytes > inMemoryBytes ? files : await withLoadedAttachments(files, store), store)
}

/** The files with the content of their attachments. */
async function withLoadedAttachments(
  files: readonly PackageFile[],
  store: Pick<Files, 'open'>,
): Promise<PackageFile[]> {
  const read = [...files]
  let next = 0
  const worker = async () => {
    while (next < files.length) {
      const at = next++
      const file = files[at]!
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
        const stream = file === first ? Promise.resolve(opened!) : open(file.content)
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
