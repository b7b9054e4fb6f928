import { emit } from '#platform/events/emit.ts'
import { onAssetRetired, onAssetTransferred, onVersionPublished } from '#server/studio/index.ts'
import { approvedEntryOf, setSubmitter } from './entry.sql.ts'
import { withdrawSource } from './withdraw.ts'

/**
 * Updates entries when their assets change. A new published version of an approved entry notifies its submitter; the listed
 * release stays until they submit again. Archiving or deleting an asset withdraws its entry, and a transfer of the asset
 * transfers the entry.
 */
export function registerAssetListeners(): void {
  onAssetRetired(withdrawSource)
  onAssetTransferred(setSubmitter)
  onVersionPublished(async (tx, caller, { assetId, version }) => {
    const entry = await approvedEntryOf(tx, assetId)
    if (!entry) return
    const submitter = { organizationId: caller.organizationId, personId: entry.submitted_by }
    emit(tx, caller, 'ai-marketplace.new-version-pending-review', { entryId: entry.id, version }, [submitter])
  })
}
