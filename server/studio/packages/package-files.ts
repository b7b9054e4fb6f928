import { createHash } from 'node:crypto'
import type { PackageLayout, PackageProfile } from '#contract/studio/packages.ts'
import { assignPackagePaths } from './attachment-paths.ts'
import { type MarkdownType, markdownOf } from './formats/markdown.ts'
import { pluginFiles } from './formats/plugin.ts'
import type { PackagedAsset, TextFile } from './packaged-asset.ts'
import { sidecarOf, sidecarPath } from './sidecar.ts'

export type PackageOptions = { layout: PackageLayout; profile: PackageProfile; sidecar: boolean }

/** An attachment; its bytes are in the file store. */
export type StoredFile = { path: string; sha256: string; size: number }

/** A file of a package: its bytes or its object in the file store. `mode` is its Unix file mode. */
export type PackageFile = { path: string; mode: number; content: Buffer | StoredFile }

/**
 * The files in the package of a version, ordered by path. Equal versions and options give equal files for every caller.
 * `extraFiles` are placed beside the sidecar (PKG-18, PKG-24).
 */
export function packageFilesOf(
  asset: PackagedAsset & { contentHash: string },
  files: readonly StoredFile[],
  { layout, profile, sidecar }: PackageOptions,
  extraFiles: readonly TextFile[] = [],
): PackageFile[] {
  const texts = [...textsOf(asset, profile), ...extraFiles]
  const placed = assignPackagePaths([...texts.map(({ path }) => path), sidecarPath], files)
  if (sidecar) texts.push({ path: sidecarPath, text: sidecarOf(asset, placed) })
  const prefix = layout === 'wrapped' ? `${asset.slug}/` : ''
  const all = [
    ...texts.map(({ path, text }) => ({ path, content: Buffer.from(text) })),
    ...placed.map(({ file, packagePath }) => ({ path: packagePath, content: file })),
  ]
  return all
    .map(({ path, content }) => ({ path: `${prefix}${path}`, mode: modeOf(path), content }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The files that describe the asset. */
export function textsOf(asset: PackagedAsset, profile: PackageProfile): TextFile[] {
  return asset.type === 'PLUGIN'
    ? pluginFiles(asset)
    : [markdownOf(asset as PackagedAsset & { type: MarkdownType }, profile)]
}

/** Scripts are executable. */
function modeOf(path: string): number {
  return /(^|\/)scripts\//.test(path) ? 0o100755 : 0o100644
}

/** Increment when archives are written differently, because the same package then has different bytes. */
const formatVersion = 1

/** A digest that is equal if and only if the bytes of the package are. Computed without reading the attachments. */
export function packageDigest(files: readonly PackageFile[]): string {
  const hash = createHash('sha256').update(`${formatVersion}`)
  for (const { path, mode, content } of files) {
    const sha256 = Buffer.isBuffer(content)
      ? createHash('sha256').update(content).digest('hex')
      : content.sha256
    hash.update(`\n${mode} ${sha256} ${path}`)
  }
  return hash.digest('hex')
}
