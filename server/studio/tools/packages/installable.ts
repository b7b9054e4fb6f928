import { createHash } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import type { PackageProfile } from '#contract/studio/packages.ts'
import { type Files, ObjectMissing, readStreamWithin } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/db.ts'
import type { Services } from '#platform/services.ts'
import { writeArchive } from '../../packages/archive/write-archive.ts'
import type { PackageFile } from '../../packages/package-files.ts'
import { filesOfVersions, type PublishedHeadRow, publishedContents, publishedHeads } from '../tool.sql.ts'
import { toolFilesOf } from '../tool-package.ts'

/** An asset for installation: one file with the digest of its bytes. */
export type Installable = PublishedHeadRow & { file: string; sha256: string }

/** The services for reading packages. */
export type PackageServices = Pick<Services, 'files' | 'log'>

type PackageMeasurement = { isSingle: boolean; sha256: string } | 'too large'

/** The measurements that this process has cached. */
const measurements = new Map<string, Promise<PackageMeasurement>>()
const maxMeasurements = 20_000
/** Assets that are read from the database at once. */
const batchSize = 20
/** Reading and compressing a package more slowly fails. */
const slowestBytesPerSecond = 1_048_576

/**
 * Returns the assets that tools can install, in the same order. Digests need every byte of a package, so they are cached: a
 * published version never changes, and the rest of a package changes only with `updated_at`. Omits packages that are too
 * large to import and packages with a missing attachment.
 */
export async function installablesOf(
  { db, services }: { db: Db; services: PackageServices },
  ids: readonly string[],
  profile: PackageProfile,
): Promise<Installable[]> {
  const heads = await publishedHeads(db, ids)
  const keyOf = ({ version_id, updated_at }: PublishedHeadRow) => `${version_id} ${updated_at} ${profile}`
  // A separate map, because the cache may evict entries while we wait
  const pending = new Map(heads.map(head => [head.version_id, measurements.get(keyOf(head))]))
  const missing = heads.filter(head => !pending.get(head.version_id))
  for (let at = 0; at < missing.length; at += batchSize) {
    const measured = await measureBatch(db, services, missing.slice(at, at + batchSize), profile, keyOf)
    for (const [versionId, measuring] of measured) pending.set(versionId, measuring)
  }
  const installables: Installable[] = []
  for (const head of heads) {
    const measured = await pending.get(head.version_id)?.catch(ignoreMissingObject)
    if (measured === undefined || measured === 'too large') continue
    const { isSingle, sha256 } = measured
    installables.push({ ...head, sha256, file: isSingle ? 'SKILL.md' : `${head.slug}.zip` })
  }
  return installables
}

async function measureBatch(
  db: Db,
  services: PackageServices,
  heads: readonly PublishedHeadRow[],
  profile: PackageProfile,
  keyOf: (head: PublishedHeadRow) => string,
): Promise<Map<string, Promise<PackageMeasurement>>> {
  const ids = heads.map(({ id }) => id)
  const versionIds = heads.map(({ version_id }) => version_id)
  const [rows, files] = await Promise.all([publishedContents(db, ids), filesOfVersions(db, versionIds)])
  const measured = new Map<string, Promise<PackageMeasurement>>()
  for (const row of rows) {
    const key = keyOf(row)
    let measuring = measurements.get(key)
    if (!measuring) {
      const all = toolFilesOf(row, files.get(row.version_id) ?? [], profile)
      measuring = measure(all, services.files, row.type === 'SKILL' && profile === 'agent-skills')
      if (measurements.size >= maxMeasurements) measurements.delete(measurements.keys().next().value!)
      measurements.set(key, measuring)
    }
    measured.set(row.version_id, measuring)
    // One at a time: each measurement compresses an archive
    await measuring.catch(error => {
      measurements.delete(key)
      ignoreMissingObject(error)
      services.log?.error({ assetId: row.id, err: error }, 'the content of an attachment is missing')
    })
  }
  return measured
}

/** A missing attachment hides only its own asset. An unavailable store fails the whole list. */
function ignoreMissingObject(error: unknown): undefined {
  if (!(error instanceof ObjectMissing)) throw error
}

/** `mayBeSingle`: a package with one file is installed as that file. */
async function measure(
  files: readonly PackageFile[],
  store: Files,
  mayBeSingle: boolean,
): Promise<PackageMeasurement> {
  const sizes = files.map(({ content }) => (Buffer.isBuffer(content) ? content.length : content.size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (bytes > limits.packageUnpackedBytes || files.length > limits.packageFiles) return 'too large'
  const [only] = files
  const hash = createHash('sha256')
  if (mayBeSingle && files.length === 1 && Buffer.isBuffer(only?.content)) {
    return { isSingle: true, sha256: hash.update(only.content).digest('hex') }
  }
  const ms = limits.fileReadMs + Math.ceil((bytes / slowestBytesPerSecond) * 1000)
  await readStreamWithin(
    () => writeArchive(files, store),
    ms,
    async archive => {
      for await (const chunk of archive) hash.update(chunk as Buffer)
    },
  )
  return { isSingle: false, sha256: hash.digest('hex') }
}
