import type { AssetType } from '#contract/studio/assets.ts'

/** All that a package says of one version of an asset, apart from its attachments. */
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
  /** The front matter as it stood in the package that was imported; null when the front matter is our own. */
  frontmatterText: string | null
}

/** A file that a package is made of besides the attachments. */
export type TextFile = { path: string; text: string }
