import type { AnyAsset, Visibility } from './asset.ts'

/** The fields of an asset that belong to no version, as a form has them. */
export type Details = {
  name: string
  slug: string
  /** Separated by commas. */
  tags: string
  visibility: Visibility
  departments: readonly string[]
}

/** The tags in a text, as the server stores them: in lower case, each once. */
export function tagsIn(text: string): string[] {
  const tags = text.split(',').map(tag => tag.trim().toLowerCase())
  return [...new Set(tags.filter(tag => tag !== ''))]
}

/** The part of the body of an update that differs from the asset. A new name gives a new slug, if no other is typed. */
export function changedDetails(asset: AnyAsset, { name, slug, tags, visibility, departments }: Details) {
  const isSame = (one: readonly string[], other: readonly string[]) =>
    one.toSorted().join('\n') === other.toSorted().join('\n')
  const typedTags = tagsIn(tags)
  return {
    ...(name.trim() !== asset.name && { name: name.trim() }),
    ...(slug.trim() !== asset.slug && { slug: slug.trim() }),
    ...(typedTags.join('\n') !== asset.tags.join('\n') && { tags: typedTags }),
    ...(visibility !== asset.visibility && { visibility }),
    ...(visibility === 'DEPARTMENT' &&
      !isSame(departments, asset.departments) && { departments: [...departments] }),
  }
}
