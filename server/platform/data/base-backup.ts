import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import pg from 'pg'

/** The position of a base backup in the write-ahead log. */
export type BackupPosition = { lsn: string; timeline: number }
export type BaseBackup = {
  /** The data folder as a tar archive, with the write-ahead log that makes it consistent. Read it to its end. */
  archive: Readable
  /** Resolves when the archive is complete, with its position: every commit before it is in the archive. */
  end: Promise<BackupPosition>
  close(): Promise<void>
}

export type BaseBackupOptions = {
  /** The most kilobytes per second to read; undefined: as fast as they are taken. */
  maxKilobytesPerSecond?: number | undefined
  /** `spread` lets PostgreSQL write its checkpoint slowly, over minutes; `fast` begins at once. */
  checkpoint: 'fast' | 'spread'
}

const connectMs = 10_000
const slot = 'patio_backup'

type CopyMessage = { chunk: Buffer }
type CopySource = { stream: { pause(): void; resume(): void } }
/** The callback of node-postgres for a copy, which its public types lack. */
type QueryWithCopy = pg.Query & {
  handleCopyData(message: CopyMessage, connection: CopySource): void
}

/**
 * Reads a consistent copy of a running PostgreSQL over its replication protocol, while it is used. PostgreSQL checks the
 * checksum of each page. A temporary replication slot keeps the write-ahead log that the copy needs.
 *
 * Throws if the server is not reachable or the role may not replicate. `archive` fails if the connection is lost.
 */
export async function openBaseBackup(
  databaseUrl: string,
  { maxKilobytesPerSecond, checkpoint }: BaseBackupOptions,
): Promise<BaseBackup> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectMs,
    application_name: 'patio backup',
    replication: 'true',
  } as pg.ClientConfig)
  const archive = new PassThrough({ highWaterMark: 4 * 1024 * 1024 })
  client.on('error', error => archive.destroy(error))
  await client.connect()
  try {
    await client.query(`CREATE_REPLICATION_SLOT ${slot}_${process.pid} TEMPORARY PHYSICAL (RESERVE_WAL true)`)
  } catch (error) {
    await client.end()
    throw error
  }
  const options = [
    `LABEL 'patio'`,
    'WAL true',
    `MANIFEST 'no'`,
    `CHECKPOINT '${checkpoint}'`,
    ...(maxKilobytesPerSecond === undefined ? [] : [`MAX_RATE ${maxKilobytesPerSecond}`]),
  ]
  const end = readInto(client, `BASE_BACKUP (${options.join(', ')})`, archive)
  // the reader of the archive sees the error there
  end.catch(error => archive.destroy(error))
  return {
    archive,
    end,
    async close() {
      archive.destroy()
      await client.end().catch(() => {})
    },
  }
}

/**
 * The reply has a row with the start, rows with the table spaces, the copy, and a row with the end. Each message of the copy
 * begins with its kind: `n` a new archive, `d` data of it, `p` progress.
 */
function readInto(client: pg.Client, command: string, archive: PassThrough): Promise<BackupPosition> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(command) as QueryWithCopy
    let position: BackupPosition | undefined
    query.on('row', row => {
      if ('recptr' in row) position = { lsn: String(row.recptr), timeline: Number(row.tli) }
    })
    query.on('error', reject)
    query.on('end', () => {
      archive.end()
      position ? resolve(position) : reject(new Error('PostgreSQL sent no position of the backup'))
    })
    let isWaiting = false
    query.handleCopyData = ({ chunk }, { stream }) => {
      if (chunk[0] !== 0x64 || archive.destroyed) return
      // a copy, because the parser of messages uses its buffer again
      const isRoomLeft = archive.write(Buffer.from(chunk.subarray(1)))
      // messages that were received before the pause still arrive
      if (isRoomLeft || isWaiting) return
      isWaiting = true
      stream.pause()
      const goOn = () => {
        isWaiting = false
        stream.resume()
      }
      void once(archive, 'drain').then(goOn, goOn)
    }
    client.query(query)
  })
}
