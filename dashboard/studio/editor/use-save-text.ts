import { type Asset, updateAsset } from '#contract/studio/assets.ts'
import { createVersion } from '#contract/studio/versions.ts'
import { useAction } from '../../data/read.ts'
import { changedContent, type SaveChoice } from './save-choice.rules.ts'
import type { EditedText } from './use-edited-text.ts'

/**
 * Saves an edit as it was chosen. Each request says with which state of the asset the edit began, so that the server
 * refuses it if somebody else has saved since.
 */
export function useSaveText(
  asset: Asset,
  edited: EditedText,
  reload: () => Promise<{ data?: Asset | undefined }>,
) {
  const update = useAction(updateAsset)
  const create = useAction(createVersion)
  return async ({ kind, ownVersion }: SaveChoice): Promise<string | undefined> => {
    const { base, changelog, ...content } = edited.current()
    const changed = changedContent(asset, base, content)
    if (!changed) return undefined
    const params = { id: asset.id }
    const expectedUpdatedAt = base.updatedAt
    const remark = changelog.trim() && { changelog: changelog.trim() }
    if (kind === 'patch' || kind === 'amend') {
      const saved = await update.mutateAsync({
        params,
        body: { ...changed, ...remark, ...(kind === 'amend' && { amend: true }), expectedUpdatedAt },
      })
      edited.saved(saved)
      return saved.currentVersion.version
    }
    // an update that changes nothing compares the states: a version on its own has no such check
    await update.mutateAsync({ params, body: { expectedUpdatedAt } })
    const number = kind === 'own' ? { version: ownVersion.trim() } : { bump: kind }
    const { version } = await create.mutateAsync({ params, body: { ...changed, ...remark, ...number } })
    const { data } = await reload()
    if (data) edited.saved(data)
    return version
  }
}
