import type { Files } from '#platform/adapters/files.ts'
import { detectContentType } from '#platform/content-type.ts'
import { filenameOf } from '../files/file.rules.ts'
import type { ReceivedFile } from '../files/receive-files.ts'
import type { Archive } from './archive/open-archive.ts'
import { unpackEntry } from './archive/unpack-entry.ts'
import type { PackageAttachment } from './interpret.ts'

/** Files that are unpacked at the same time. */
const concurrency = 8

/**
 * Unpacks attachments into the file store's area for incoming files. Adds each one to `received` as soon as it is
 * complete, so that the caller can discard them after a failure too, and finally orders them by path. Throws
 * InvalidPackageError for damaged content, and StoreUnavailable.
 */
export async function extractAttachments(
  archive: Archive,
  attachments: readonly PackageAttachment[],
  files: Pick<Files, 'receive'>,
  received: ReceivedFile[],
): Promise<void> {
  const queue = [...attachments]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { path, entry } = next
      try {
        const incoming = await files.receive(await unpackEntry(archive, entry), entry.size)
        const file: ReceivedFile = { path, contentType: '', incoming }
        received.push(file)
        file.contentType = await detectContentType(incoming.head, incoming.size, filenameOf(path))
      } catch (error) {
        queue.length = 0
        throw error
      }
    }
  }
  const workers = Array.from({ length: concurrency }, worker)
  // Wait for all workers, so that nothing is still being received when the caller discards the files
  await Promise.allSettled(workers)
  await Promise.all(workers)
  received.sort((a, b) => (a.path < b.path ? -1 : 1))
}
