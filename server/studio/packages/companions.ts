import type { Db } from '#platform/data/database.ts'
import type { Reading } from './reading.ts'

/** A file that another area puts beside the sidecar, and that an import leaves out again. */
export type Companion = {
  readonly path: string
  /** Its text for one version of an asset, always the same; undefined when there is nothing to say. */
  write(db: Db, version: { assetId: string; versionId: string }): Promise<string | undefined>
  /** Whether a file at that path is one of these. */
  isOurs(text: string): boolean
}

const companions: Companion[] = []

/** Lets another area put a file into packages. */
export function accompanyPackages(companion: Companion): void {
  companions.push(companion)
}

/** The files beside the sidecar of the package of a version. */
export async function companionsOf(
  db: Db,
  version: { assetId: string; versionId: string },
): Promise<{ path: string; text: string }[]> {
  const written = await Promise.all(
    companions.map(async ({ path, write }) => ({ path, text: await write(db, version) })),
  )
  return written.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]))
}

/** Of the paths in a package, those of such files. What the sidecar calls an attachment is one. */
export async function companionPaths(
  reading: Reading,
  isAttachment: (path: string) => boolean,
): Promise<string[]> {
  const found: string[] = []
  for (const { path, isOurs } of companions) {
    if (!reading.has(path) || isAttachment(path)) continue
    const text = await reading.textOrNothing(path)
    if (text !== undefined && isOurs(text)) found.push(path)
  }
  return found
}
