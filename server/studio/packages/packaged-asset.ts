import type { AssetType } from '#contract/studio/assets.ts'

/** A version of an asset as its package describes it, without attachments. */
export type PackagedAsset = {
  type: AssetType
  slug: string
  name: string
  description: string
  version: string
  changelog: string | null
  tags: readonly string[]
  iconName: string | null
  color: string | null
  bodyMarkdown: string
  frontmatter: Record<string, unknown>
  /** The text of the imported front matter; null if Patio wrote the front matter. */
  frontmatterText: string | null
}

/** A file of a package that is not an attachment. */
export type TextFile = { path: string; text: string }
