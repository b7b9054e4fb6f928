import type { Db } from '#platform/data/db.ts'
import type { PackageReader } from './package-reader.ts'

/** A file that another area adds to packages beside the sidecar. Imports skip it. */
export type ExtraFile = {
  readonly path: string
  /** The text for a version of an asset, always the same; undefined if the version has no such file. */
  write(db: Db, version: { assetId: string; versionId: string }): Promise<string | undefined>
  /** Whether a text at that path was written by `write`. */
  isOurs(text: string): boolean
}

const extraFiles = new Set<ExtraFile>()

/** Registers a file that another area adds to packages; again without effect. */
export function registerExtraFile(file: ExtraFile): void {
  extraFiles.add(file)
}

/** The extra files in the package of a version. */
export async function extraFilesOf(
  db: Db,
  version: { assetId: string; versionId: string },
): Promise<{ path: string; text: string }[]> {
  const files = await Promise.all(
    [...extraFiles].map(async ({ path, write }) => ({ path, text: await write(db, version) })),
  )
  return files.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]))
}

/** The paths of extra files in a package. A file that the sidecar lists as an attachment is not an extra file. */
export async function extraFilePaths(
  reader: PackageReader,
  isAttachment: (path: string) => boolean,
): Promise<string[]> {
  const paths: string[] = []
  for (const { path, isOurs } of extraFiles) {
    if (!reader.has(path) || isAttachment(path)) continue
    const text = await reader.tryText(path)
    if (text !== undefined && isOurs(text)) paths.push(path)
  }
  return paths
}
