import type { VersionDifference } from '#contract/studio/versions.ts'
import { differenceOfFields, differenceOfFiles, differenceOfTexts } from './diff.rules.ts'

/** The parts of a version that a comparison uses. */
export type ComparedVersion = {
  version: string
  description: string
  body_markdown: string
  frontmatter: Record<string, unknown>
  files: readonly { path: string; size: number; sha256: string }[]
}

type VersionPair = { from: ComparedVersion; to: ComparedVersion }

/** Compares two versions or two releases. */
export function compareVersions({ from, to }: VersionPair): VersionDifference {
  const parts = {
    description: differenceOfTexts(from.description, to.description),
    bodyMarkdown: differenceOfTexts(from.body_markdown, to.body_markdown),
    frontmatter: differenceOfFields(from.frontmatter, to.frontmatter),
    files: differenceOfFiles(from.files, to.files),
  }
  const isSame =
    parts.description === null &&
    parts.bodyMarkdown === null &&
    parts.frontmatter.length === 0 &&
    parts.files.length === 0
  return { from: from.version, to: to.version, isSame, ...parts }
}
