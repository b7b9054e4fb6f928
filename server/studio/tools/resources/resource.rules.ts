import type { AssetType } from '#contract/studio/assets.ts'
import { assignPackagePaths, type PlacedAttachment } from '../../packages/attachment-paths.ts'
import { markdownPathOf } from '../../packages/formats/markdown.ts'
import { manifestPaths, readmePath } from '../../packages/formats/plugin.ts'
import { sidecarPath } from '../../packages/sidecar.ts'

type PackagedHead = { type: AssetType; slug: string; has_body: boolean }

/**
 * The URI of a file in an asset's package: `skill://<slug>/<path>` for a skill, as in the skills extension, and
 * `patio://assets/<slug>/<path>` for other types. Their main file has the URI without a path.
 */
export function uriOf(asset: PackagedHead, path: string): string {
  if (asset.type === 'SKILL') return `skill://${asset.slug}/${encodedPath(path)}`
  const root = `patio://assets/${asset.slug}`
  return path === mainPath(asset) ? root : `${root}/${encodedPath(path)}`
}

/** Parses a URI; `path` is undefined for the main file. Undefined for a foreign URI. */
export function parseUri(
  uri: string,
): { isSkill: boolean; slug: string; path: string | undefined } | undefined {
  const [, skill, asset, rest] =
    /^(?:skill:\/\/([a-z0-9-]{1,64})(?=\/)|patio:\/\/assets\/([a-z0-9-]{1,64}))(?:\/(.{1,1000}))?$/s.exec(
      uri,
    ) ?? []
  const slug = skill ?? asset
  if (slug === undefined) return undefined
  const path = rest === undefined ? undefined : decodedPath(rest)
  if (rest !== undefined && path === undefined) return undefined
  if (skill !== undefined && path === undefined) return undefined
  return { isSkill: skill !== undefined, slug, path }
}

/** The main file of a package. */
export function mainPath({ type, slug, has_body }: PackagedHead): string {
  if (type === 'PLUGIN') return has_body ? readmePath : manifestPaths.portable
  return markdownPathOf(type, slug)
}

/** The files of a package that are not attachments. */
export function textPaths(asset: PackagedHead): string[] {
  if (asset.type !== 'PLUGIN') return [mainPath(asset)]
  return [manifestPaths.portable, manifestPaths.claude, ...(asset.has_body ? [readmePath] : [])]
}

/** The attachments with their paths in the package. */
export function placedAttachments<File extends { path: string }>(
  asset: PackagedHead,
  files: readonly File[],
): PlacedAttachment<File>[] {
  return assignPackagePaths([...textPaths(asset), sidecarPath], files)
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

function decodedPath(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
