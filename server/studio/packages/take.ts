import type { Files } from '#platform/adapters/files.ts'
import { filenameOf } from '../files/file.rules.ts'
import { kindOf } from '../files/kind.ts'
import type { Received } from '../files/receive.ts'
import type { Archive } from './archive/open.ts'
import { unpacked } from './archive/unpack.ts'
import type { Attached } from './interpret.ts'

/** So many files are unpacked at once. */
const atOnce = 8

/**
 * Unpacks attachments into the spool of the file store. Each is added to `received` as soon as it is there, so that the
 * caller can discard them whatever happens; in the end they are ordered by path. Throws Flaw when a content is damaged, and StoreUnavailable.
 */
export async function takeFiles(
  archive: Archive,
  attached: readonly Attached[],
  files: Pick<Files, 'receive'>,
  received: Received[],
): Promise<void> {
  const waiting = [...attached]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { path, entry } = next
      try {
        const incoming = await files.receive(await unpacked(archive, entry), entry.size)
        const at = received.push({ path, contentType: '', incoming }) - 1
        received[at]!.contentType = await kindOf(incoming.head, incoming.size, filenameOf(path))
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  const workers = Array.from({ length: atOnce }, worker)
  // all of them, so that nothing is still being received when the caller discards
  await Promise.allSettled(workers)
  await Promise.all(workers)
  received.sort((a, b) => (a.path < b.path ? -1 : 1))
}
