import { type CopiedFile, mergeFiles } from './files.ts'
import { type Frontmatter, mergeFrontmatter } from './frontmatter.ts'
import { mergeTexts } from './lines.ts'
import { type Merged, mergeValue, type Side, type Three, texts } from './values.ts'

/** What a release and a copy of it have in common. */
export type Copy = {
  name: string
  description: string
  bodyMarkdown: string
  frontmatter: Frontmatter
  files: readonly CopiedFile[]
}

type Merge = Three<Copy> & { take: Side | undefined }

/**
 * What a copy becomes when a release comes into it: the changes that the release made since `base`, and those that
 * were made to the copy. `take` settles conflicts; without it, a result with conflicts must not be used.
 */
export function mergeCopies({ base, yours, theirs, take }: Merge): Merged<Copy> {
  const of = <Key extends keyof Copy>(key: Key) => ({
    base: base[key],
    yours: yours[key],
    theirs: theirs[key],
  })
  const name = mergeValue('name', of('name'), texts, take)
  const description = mergeValue('description', of('description'), texts, take)
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
