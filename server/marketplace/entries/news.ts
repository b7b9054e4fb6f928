import { emit } from '#platform/emit.ts'
import { whenPublished } from '#server/studio/index.ts'
import { approvedEntryOf } from './store.ts'

/**
 * Tells the submitter of an approved entry that its asset was published anew: what is listed stays what it was until
 * they submit again. Document 1, Marketplace stream.
 */
export function tellOfNewVersions(): void {
  whenPublished(async (tx, caller, { assetId, version }) => {
    const entry = await approvedEntryOf(tx, assetId)
    if (!entry) return
    const submitter = { organizationId: caller.organizationId, personId: entry.submitted_by }
    emit(tx, caller, 'ai-marketplace.new-version-pending-review', { entryId: entry.id, version }, [submitter])
  })
}
