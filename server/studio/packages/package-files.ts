import { createHash } from 'node:crypto'
import type { PackageLayout, PackageProfile } from '#contract/studio/packages.ts'
import { assignPackagePaths } from './attachment-paths.ts'
import { type MarkdownType, markdownOf } from './formats/markdown.ts'
import { pluginFiles } from './formats/plugin.ts'
import type { PackagedAsset, TextFile } from './packaged-asset.ts'
import { sidecarOf, sidecarPath } from './sidecar.ts'

export type PackageOptions = { layout: PackageLayout; profile: PackageProfile; sidecar: boolean }

/** An attachment, whose bytes are in the file store. */
export type StoredFile = { path: string; sha256: string; size: number }

/** A file of a package: its bytes, or the object that has them. `mode` are its permission bits. */
export type PackageFile = { path: string; mode: number; content: Buffer | StoredFile }

/**
 * The files of the package of one version, by path. Equal versions and options give equal files, whoever asks.
 * `companions` stand beside the sidecar (PKG-18, PKG-24).
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

/** The files that say what the asset is. */
export function textsOf(asset: PackagedAsset, profile: PackageProfile): TextFile[] {
  return asset.type === 'PLUGIN'
    ? pluginFiles(asset)
    : [markdownOf(asset as PackagedAsset & { type: MarkdownType }, profile)]
}

/** Scripts can be run, everything else can be read. */
function modeOf(path: string): number {
  return /(^|\/)scripts\//.test(path) ? 0o100755 : 0o100644
}

/** The way in which archives are written. Another one gives the same package other bytes, so it counts up. */
const formatVersion = 1

/** A digest of the package: equal exactly when its bytes are. Taken without reading the attachments. */
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
