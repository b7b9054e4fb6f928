import type { Asset } from '../assets/asset.ts'
import { nextVersion } from '../versions/next-version.rules.ts'
import type { Base, Edited } from './use-edited-text.ts'
import { partsOf, withEndsOf } from './whole-text.rules.ts'

/** How an edit is saved: as a new version with a number, or in the active version, which nobody can use yet. */
export const saveKinds = ['patch', 'minor', 'major', 'own', 'amend'] as const
export type SaveKind = (typeof saveKinds)[number]
export type SaveChoice = { kind: SaveKind; ownVersion: string }

/** The number that the saved text will have. */
export function savedVersion(
  { kind, ownVersion }: SaveChoice,
  active: string,
  versions: readonly string[],
): string {
  if (kind === 'amend') return active
  return kind === 'own' ? ownVersion.trim() : nextVersion(active, versions, kind)
}

type Saved = Pick<Asset, 'bodyMarkdown' | 'frontmatterText'>

/** The content of the request: only what differs from the saved content. Undefined if the front matter has no end. */
export function changedContent(saved: Saved, base: Base, edited: Edited) {
  const [before, after] = [partsOf(base.text), partsOf(edited.text)]
  if (!after) return undefined
  return {
    ...(before?.bodyMarkdown !== after.bodyMarkdown && {
      bodyMarkdown: withEndsOf(saved.bodyMarkdown, after.bodyMarkdown),
    }),
    ...(before?.frontmatterText !== after.frontmatterText && {
      frontmatterText: withEndsOf(saved.frontmatterText, after.frontmatterText),
    }),
    ...(base.description !== edited.description && { description: edited.description.trim() }),
  }
}
