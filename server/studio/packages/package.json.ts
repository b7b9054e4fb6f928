import type { Finding, ImportReport } from '#contract/studio/packages.ts'
import type { ReceivedFile } from '../files/receive-files.ts'
import type { PackagedAsset } from './packaged-asset.ts'

/** The reply of a dry run. */
export function showReport(
  packaged: PackagedAsset | undefined,
  received: readonly ReceivedFile[],
  { errors, warnings }: { errors: readonly Finding[]; warnings: readonly Finding[] },
): ImportReport {
  return {
    isImportable: packaged !== undefined && errors.length === 0,
    type: packaged?.type ?? null,
    name: packaged?.name ?? null,
    description: packaged?.description ?? null,
    version: packaged?.version ?? null,
    tags: [...(packaged?.tags ?? [])],
    frontmatter: packaged?.frontmatter ?? {},
    files: received.map(({ path, contentType, incoming: { size, sha256 } }) => ({
      path,
      size,
      sha256,
      contentType,
    })),
    errors: [...errors],
    warnings: [...warnings],
  }
}
