import Ajv from 'ajv'
import { limits } from '#contract/limits.ts'
import { type Finding, Sidecar } from '#contract/studio/packages.ts'
import { hasFewParts } from '#platform/http/input.ts'
import type { PlacedAttachment } from './attachment-paths.ts'
import { isStorable } from './formats/plugin.ts'
import { exceededBound, holdsExactNumbers, importedBounds } from './frontmatter/frontmatter-bounds.ts'
import { finding, maxFindings } from './package-errors.ts'
import type { PackagedAsset } from './packaged-asset.ts'

/** The path of the file from which an import restores the asset completely. */
export const sidecarPath = 'asset-studio.json'

const check = new Ajv.default({ strict: false }).compile<Sidecar>(Sidecar)

/** Writes the sidecar of an asset with these attachments. */
export function sidecarOf(
  asset: PackagedAsset & { contentHash: string },
  placed: readonly PlacedAttachment[],
): string {
  const sidecar: Sidecar = {
    type: asset.type,
    slug: asset.slug,
    name: asset.name,
    description: asset.description,
    tags: [...asset.tags],
    iconName: asset.iconName,
    color: asset.color,
    version: asset.version,
    changelog: asset.changelog,
    contentHash: asset.contentHash,
    frontmatter: asset.frontmatter,
    frontmatterText: asset.frontmatterText,
    files: placed.map(({ file, packagePath }) => ({
      path: file.path,
      sha256: file.sha256,
      ...(packagePath !== file.path && { packagedAs: packagePath }),
    })),
  }
  return `${JSON.stringify(sidecar, null, 2)}\n`
}

/** Parses a sidecar. Undefined if the text is not a valid one. */
export function readSidecar(text: string): Sidecar | undefined {
  if (!hasFewParts(Buffer.from(text))) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isStorable(value, limits.jsonDepth) || !check(value)) return undefined
  const { frontmatter } = value
  return holdsExactNumbers(frontmatter) && !exceededBound(frontmatter, importedBounds) ? value : undefined
}

/** Findings for attachments that differ from the sidecar. */
export function sidecarDifferences(
  { files }: Sidecar,
  attachments: readonly { path: string; incoming: { sha256: string } }[],
): Finding[] {
  const actual = new Map(attachments.map(({ path, incoming }) => [path, incoming.sha256]))
  const recorded = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const missing = [...recorded.keys()].filter(path => !actual.has(path))
  const changed = [...actual].filter(([path, sha256]) => recorded.has(path) && recorded.get(path) !== sha256)
  const added = [...actual.keys()].filter(path => !recorded.has(path))
  const findingsFor = (paths: readonly string[], what: string) =>
    paths.map(path => finding('sidecar-differs', path, `The file was ${what} after the package was written.`))
  return [
    ...findingsFor(missing, 'removed'),
    ...findingsFor(
      changed.map(([path]) => path),
      'changed',
    ),
    ...findingsFor(added, 'added'),
  ].slice(0, maxFindings)
}
