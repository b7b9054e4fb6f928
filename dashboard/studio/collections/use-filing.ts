import { useQueryClient } from '@tanstack/react-query'
import type { Route } from '#contract/route.ts'
import { type AssetItem, listAssets, readAsset } from '#contract/studio/assets.ts'
import {
  addToCollection,
  type Collection,
  listCollectionAssets,
  listCollections,
  readCollection,
  removeFromCollection,
} from '#contract/studio/collections.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { keyOf, readAgain, useAction } from '../../data/read.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { collectionTexts } from './collections.words.ts'
import { type CachedPages, withAssets, withoutAssets } from './filing.rules.ts'

type Target = Pick<Collection, 'id' | 'name'>
const changedReads: readonly Route<unknown, unknown>[] = [
  listCollections,
  readCollection,
  listCollectionAssets,
  listAssets,
  readAsset,
]
/** How many calls are under way at once. */
const together = 4

/**
 * Adds assets to a collection and takes them out. Lists show it at once; a toast takes it back, and names the assets that
 * did not follow.
 */
export function useFiling() {
  const text = useWords(collectionTexts)
  const language = useLanguage()
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const add = useAction(addToCollection, { refreshes: [] })
  const remove = useAction(removeFromCollection, { refreshes: [] })

  function patch(
    collectionId: string,
    change: (list: CachedPages | undefined) => CachedPages | undefined,
  ): void {
    const queryKey = keyOf(organizationId, listCollectionAssets, { params: { id: collectionId } })
    cache.setQueriesData<CachedPages>({ queryKey }, change)
  }
  async function run(
    assets: readonly AssetItem[],
    call: (asset: AssetItem) => Promise<unknown>,
  ): Promise<AssetItem[]> {
    const failures: { asset: AssetItem; error: unknown }[] = []
    for (let at = 0; at < assets.length; at += together)
      await Promise.all(
        assets
          .slice(at, at + together)
          .map(asset => call(asset).catch((error: unknown) => failures.push({ asset, error }))),
      )
    void readAgain(cache, ...changedReads.map(read => keyOf(organizationId, read)))
    const [first] = failures
    if (first) {
      await needErrorTexts(language)
      const names = failures.map(({ asset }) => asset.name).join(', ')
      showToast({ kind: 'failed', text: text.notDone(names, textOfError(first.error, language)) })
    }
    const failed = new Set(failures.map(({ asset }) => asset))
    return assets.filter(asset => !failed.has(asset))
  }
  async function put(assets: readonly AssetItem[], { id }: Target): Promise<AssetItem[]> {
    patch(id, list => withAssets(list, assets))
    return run(assets, asset => add.mutateAsync({ params: { id }, body: { assetId: asset.id } }))
  }
  async function take(assets: readonly AssetItem[], { id }: Target): Promise<AssetItem[]> {
    patch(id, list => withoutAssets(list, new Set(assets.map(asset => asset.id))))
    return run(assets, asset => remove.mutateAsync({ params: { id, assetId: asset.id } }))
  }
  return {
    /** Adds assets that are not in the collection yet: undoing it takes all of them out. */
    async fileInto(assets: readonly AssetItem[], target: Target): Promise<void> {
      const done = await put(
        assets.filter(({ collectionIds }) => !collectionIds.includes(target.id)),
        target,
      )
      showToast({
        text: text.filed(done.length, target.name),
        ...(done.length > 0 && { action: { label: text.undo, onPress: () => void take(done, target) } }),
      })
    },
    async takeOut(assets: readonly AssetItem[], target: Target): Promise<void> {
      const done = await take(assets, target)
      if (done.length > 0)
        showToast({
          text: text.takenOut(done.length),
          action: { label: text.undo, onPress: () => void put(done, target) },
        })
    },
  }
}
