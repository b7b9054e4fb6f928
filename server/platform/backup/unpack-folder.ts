import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar'

/** Unpacks the archive of PostgreSQL's data folder into an empty folder. Throws at entries that are no files or folders. */
export async function unpackFolder(archive: AsyncIterable<Buffer>, folder: string): Promise<void> {
  let refused: string | undefined
  const unpack = extract({
    cwd: folder,
    strict: true,
    // the owner is the user who restores
    preserveOwner: false,
    filter: (path, entry) => {
      const isPlain = 'type' in entry && (entry.type === 'File' || entry.type === 'Directory')
      if (!isPlain) refused ??= path
      return isPlain
    },
  })
  await pipeline(Readable.from(archive, { objectMode: false }), unpack)
  if (refused !== undefined)
    throw new Error(`The archive has an entry that is neither a file nor a folder: ${refused}`)
}
