import type { VersionDifference } from '#contract/studio/versions.ts'
import type { ReleasePart } from './finding.rules.ts'
import type { ReleaseView } from './release-search.ts'

/** A release as its reader shows it: for people before they install it, and for operators before they decide. */
export type ReadableRelease = {
  /** Changes with every release: files are read anew. */
  digest: string
  description: string
  bodyMarkdown: string
  frontmatter: Readonly<Record<string, unknown>>
  /** As it was written, comments included; null if it was written as JSON. */
  frontmatterText?: string | null
  releaseNotes: string | null
  files: readonly { path: string; size: number }[]
  /** The changes since the release that was approved last. */
  difference?: VersionDifference | null
}

/** The texts of a release that are not files, in the order of reading; those that are empty are left out. */
export function textPartsOf(release: ReadableRelease): readonly { part: ReleasePart; text: string }[] {
  const { frontmatter, frontmatterText } = release
  const isBare = Object.keys(frontmatter).length === 0
  const parts: { part: ReleasePart; text: string }[] = [
    { part: 'body', text: release.bodyMarkdown },
    { part: 'description', text: release.description },
    { part: 'frontmatter', text: frontmatterText ?? (isBare ? '' : JSON.stringify(frontmatter, null, 2)) },
    { part: 'notes', text: release.releaseNotes ?? '' },
  ]
  return parts.filter(({ part, text }) => part === 'body' || text.trim() !== '')
}

/** The part that the address names, if the release has it, else the body. */
export function partOf(release: ReadableRelease, named: string | undefined): ReleasePart {
  const parts: ReleasePart[] = [
    ...textPartsOf(release).map(({ part }) => part),
    ...release.files.map(({ path }) => `file:${path}` as const),
  ]
  return parts.find(part => part === named) ?? 'body'
}

/** The path of the file that a part is; undefined for the other texts. */
export function pathOf(part: ReleasePart): string | undefined {
  return part.startsWith('file:') ? part.slice('file:'.length) : undefined
}

/** The name of a part: its path, or what it is. */
export function partTitle(
  part: ReleasePart,
  text: Readonly<Record<'body' | 'description' | 'frontmatter' | 'notes', string>>,
): string {
  return pathOf(part) ?? text[part as 'body']
}

/** Whether a view makes sense for a part: only Markdown is rendered, only changed texts have changes. */
export function viewsOf(release: ReadableRelease, part: ReleasePart): readonly ReleaseView[] {
  const isMarkdown = part === 'body' || part === 'notes' || /\.(?:md|markdown)$/i.test(part)
  return [
    'source',
    ...(isMarkdown ? (['rendered'] as const) : []),
    ...(hasChanges(release, part) ? (['changes'] as const) : []),
  ]
}

function hasChanges({ difference }: ReadableRelease, part: ReleasePart): boolean {
  if (!difference) return false
  if (part === 'body') return difference.bodyMarkdown !== null
  if (part === 'description') return difference.description !== null
  if (part === 'frontmatter') return difference.frontmatter.length > 0
  return false
}

/** How a part changed since the last approved release. */
export function changeOf(
  { difference }: ReadableRelease,
  part: ReleasePart,
): 'added' | 'changed' | undefined {
  const path = pathOf(part)
  if (path === undefined) return hasChanges({ difference } as ReadableRelease, part) ? 'changed' : undefined
  const kind = difference?.files.find(file => file.path === path)?.kind
  if (kind === undefined || kind === 'removed') return undefined
  return kind === 'added' ? 'added' : 'changed'
}
