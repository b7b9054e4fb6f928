import type { AssetItem } from '#contract/studio/assets.ts'

type Page = { items: AssetItem[]; total: number }
/** The pages of a list as the cache has them. */
export type CachedPages = { pages: Page[] } & Record<string, unknown>

/** The list without these assets, before the server has answered. */
export function withoutAssets(list: CachedPages | undefined, ids: ReadonlySet<string>) {
  if (!list) return list
  const there = new Set(
    list.pages.flatMap(({ items }) => items.flatMap(({ id }) => (ids.has(id) ? [id] : []))),
  )
  if (there.size === 0) return list
  return {
    ...list,
    pages: list.pages.map(page => ({
      ...page,
      items: page.items.filter(({ id }) => !there.has(id)),
      total: Math.max(0, page.total - there.size),
    })),
  }
}

/** The list with these assets in front, before the server has answered and put them in their order. */
export function withAssets(list: CachedPages | undefined, assets: readonly AssetItem[]) {
  const [first, ...others] = list?.pages ?? []
  if (!list || !first) return list
  const there = new Set(list.pages.flatMap(({ items }) => items.map(({ id }) => id)))
  const added = assets.filter(({ id }) => !there.has(id))
  if (added.length === 0) return list
  const total = first.total + added.length
  return {
    ...list,
    pages: [
      { ...first, items: [...added, ...first.items], total },
      ...others.map(page => ({ ...page, total })),
    ],
  }
}
