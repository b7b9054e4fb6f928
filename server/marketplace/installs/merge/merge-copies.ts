import { type CopiedFile, mergeFiles } from './merge-files.ts'
import { type CopiedFrontmatter, mergeFrontmatter } from './merge-frontmatter.ts'
import { mergeTexts } from './merge-texts.ts'
import { type MergeResult, type MergeSide, mergeValue, type ThreeWay, textComparison } from './merge-value.ts'

/** The parts of a release that a copy contains. */
export type AssetCopy = {
  name: string
  description: string
  bodyMarkdown: string
  frontmatter: CopiedFrontmatter
  files: readonly CopiedFile[]
}

type Merge = ThreeWay<AssetCopy> & { take: MergeSide | undefined }

/**
 * Merges the changes of a release since `base` with the changes of a copy. `take` resolves conflicts; without it, a result
 * with conflicts must not be used.
 */
export function mergeCopies({ base, yours, theirs, take }: Merge): MergeResult<AssetCopy> {
  const of = <Key extends keyof AssetCopy>(key: Key) => ({
    base: base[key],
    yours: yours[key],
    theirs: theirs[key],
  })
  const name = mergeValue('name', of('name'), textComparison, take)
  const description = mergeValue('description', of('description'), textComparison, take)
  const bodyMarkdown = mergeTexts('bodyMarkdown', of('bodyMarkdown'), take)
  const frontmatter = mergeFrontmatter(of('frontmatter'), take)
  const files = mergeFiles(of('files'), take)
  return {
    value: {
      name: name.value,
      description: description.value,
      bodyMarkdown: bodyMarkdown.value,
      frontmatter: frontmatter.value,
      files: files.value,
    },
    conflicts: [name, description, bodyMarkdown, frontmatter, files].flatMap(({ conflicts }) => conflicts),
  }
}
