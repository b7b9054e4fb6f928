import type { Db } from '#platform/data/database.ts'
import type { PackageReader } from './package-reader.ts'

/** A file that another area puts beside the sidecar, and that an import leaves out again. */
export type ExtraFile = {
  readonly path: string
  /** Its text for one version of an asset, always the same; undefined when there is nothing to say. */
  write(db: Db, version: { assetId: string; versionId: string }): Promise<string | undefined>
  /** Whether a file at that path is one of these. */
  isOurs(text: string): boolean
}

const extraFiles: ExtraFile[] = []

/** Lets another area put a file into packages. */
export function registerExtraFile(companion: ExtraFile): void {
  extraFiles.push(companion)
}

/** The files beside the sidecar of the package of a version. */
export async function extraFilesOf(
  db: Db,
  version: { assetId: string; versionId: string },
): Promise<{ path: string; text: string }[]> {
  const files = await Promise.all(
    extraFiles.map(async ({ path, write }) => ({ path, text: await write(db, version) })),
  )
  return files.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]))
}

/** Of the paths in a package, those of such files. What the sidecar calls an attachment is one. */
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
