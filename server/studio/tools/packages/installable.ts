import { createHash } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import type { PackageProfile } from '#contract/studio/packages.ts'
import { ObjectMissing, readStreamWithin } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/database.ts'
import type { Services } from '#platform/http/operation.ts'
import { writeArchive } from '../../packages/archive/write.ts'
import type { PackageFile } from '../../packages/contents.ts'
import { toolFilesOf } from '../packaged.ts'
import { contentsOfPublished, filesOfVersions, type HeadRow, headsOf } from '../tool.sql.ts'

/** An asset as tools install it: one file, and the digest of its bytes. */
export type Installable = HeadRow & { file: string; sha256: string }

type Measured = { isSingle: boolean; sha256: string } | 'too large'

/** What packages were measured at, as this process remembers it. */
const known = new Map<string, Promise<Measured>>()
const most = 20_000
/** So many assets are read at once to be measured. */
const atOnce = 20
/** A package that is read and compressed more slowly cannot be measured now. */
const slowestBytesPerSecond = 1_048_576

/**
 * Of the given assets those that tools can install, in the same order. The digests need every byte of the packages, so
 * they are remembered: a published version does not change, and the rest of a package changes with `updated_at` only.
 * Left out are packages that no importer takes for their size, and those of which the file store has lost something.
 */
export async function installablesOf(
  { db, services }: { db: Db; services: Services },
  ids: readonly string[],
  profile: PackageProfile,
): Promise<Installable[]> {
  const heads = await headsOf(db, ids)
  const keyOf = ({ version_id, updated_at }: HeadRow) => `${version_id} ${updated_at} ${profile}`
  // held apart: what is remembered may give way to others while we wait
  const held = new Map(heads.map(head => [head.version_id, known.get(keyOf(head))]))
  const missing = heads.filter(head => !held.get(head.version_id))
  for (let at = 0; at < missing.length; at += atOnce) {
    const done = await measureAll(db, services, missing.slice(at, at + atOnce), profile, keyOf)
    for (const [versionId, measuring] of done) held.set(versionId, measuring)
  }
  const found: Installable[] = []
  for (const head of heads) {
    const measured = await held.get(head.version_id)?.catch(unlessTorn)
    if (measured === undefined || measured === 'too large') continue
    const { isSingle, sha256 } = measured
    found.push({ ...head, sha256, file: isSingle ? 'SKILL.md' : `${head.slug}.zip` })
  }
  return found
}

async function measureAll(
  db: Db,
  services: Services,
  heads: readonly HeadRow[],
  profile: PackageProfile,
  keyOf: (head: HeadRow) => string,
): Promise<Map<string, Promise<Measured>>> {
  const ids = heads.map(({ id }) => id)
  const versionIds = heads.map(({ version_id }) => version_id)
  const [rows, files] = await Promise.all([contentsOfPublished(db, ids), filesOfVersions(db, versionIds)])
  const done = new Map<string, Promise<Measured>>()
  for (const row of rows) {
    const key = keyOf(row)
    let measuring = known.get(key)
    if (!measuring) {
      const all = toolFilesOf(row, files.get(row.version_id) ?? [], profile)
      measuring = measure(all, services, row.type === 'SKILL' && profile === 'agent-skills')
      if (known.size >= most) known.delete(known.keys().next().value!)
      known.set(key, measuring)
    }
    done.set(row.version_id, measuring)
    // one after the other: each archive is compressed for it
    await measuring.catch(error => {
      known.delete(key)
      unlessTorn(error)
      services.log?.error({ assetId: row.id, err: error }, 'an attachment has lost its content')
    })
  }
  return done
}

/** An asset that has lost an attachment does not hide the others; a store that cannot be read does. */
function unlessTorn(error: unknown): undefined {
  if (!(error instanceof ObjectMissing)) throw error
}

/** `mayBeSingle`: a package of one file is installed as that file. */
async function measure(
  files: readonly PackageFile[],
  services: Services,
  mayBeSingle: boolean,
): Promise<Measured> {
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
    () => writeArchive(files, services.files),
    ms,
    async archive => {
      for await (const chunk of archive) hash.update(chunk as Buffer)
    },
  )
  return { isSingle: false, sha256: hash.digest('hex') }
}
