import Ajv from 'ajv'
import { limits } from '#contract/limits.ts'
import { type Finding, Sidecar } from '#contract/studio/packages.ts'
import { hasFewParts } from '#platform/http/input.ts'
import { finding, mostFindings } from './findings.ts'
import { isStorable } from './formats/plugin.ts'
import { faultInBounds, holdsExactNumbers, importedBounds } from './frontmatter/bounds.ts'
import type { Packaged } from './packaged.ts'
import type { Placed } from './places.ts'

/** The file with which an import restores everything. */
export const sidecarPath = 'asset-studio.json'

const check = new Ajv.default({ strict: false }).compile<Sidecar>(Sidecar)

/** The text of the sidecar of an asset with these attachments. */
export function sidecarOf(asset: Packaged & { contentHash: string }, placed: readonly Placed[]): string {
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
    files: placed.map(({ file, at }) => ({
      path: file.path,
      sha256: file.sha256,
      ...(at !== file.path && { packagedAs: at }),
    })),
  }
  return `${JSON.stringify(sidecar, null, 2)}\n`
}

/** What a sidecar says, or undefined when it is none of ours. */
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
  return holdsExactNumbers(frontmatter) && !faultInBounds(frontmatter, importedBounds) ? value : undefined
}

/** How the attachments differ from those that the sidecar tells of. */
export function differencesFrom(
  { files }: Sidecar,
  there: readonly { path: string; incoming: { sha256: string } }[],
): Finding[] {
  const found = new Map(there.map(({ path, incoming }) => [path, incoming.sha256]))
  const told = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const missing = [...told.keys()].filter(path => !found.has(path))
  const changed = [...found].filter(([path, sha256]) => told.has(path) && told.get(path) !== sha256)
  const added = [...found.keys()].filter(path => !told.has(path))
  const say = (paths: readonly string[], what: string) =>
    paths.map(path => finding('sidecar-differs', path, `The file was ${what} after the package was written.`))
  return [
    ...say(missing, 'removed'),
    ...say(
      changed.map(([path]) => path),
      'changed',
    ),
    ...say(added, 'added'),
  ].slice(0, mostFindings)
}
