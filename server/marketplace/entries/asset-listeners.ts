import { emit } from '#platform/events/emit.ts'
import { whenPublished, whenRetired, whenTransferred } from '#server/studio/index.ts'
import { approvedEntryOf, setSubmitter } from './entry.sql.ts'
import { withdrawSource } from './withdraw.ts'

/**
 * Keeps entries in step with their assets. The submitter of an approved entry learns that its asset was published anew:
 * what is listed stays what it was until they submit again. The entry of an asset that is archived or deleted is
 * withdrawn, and that of an asset with another author is the new author's.
 */
export function registerAssetListeners(): void {
  whenRetired(withdrawSource)
  whenTransferred(setSubmitter)
  whenPublished(async (tx, caller, { assetId, version }) => {
    const entry = await approvedEntryOf(tx, assetId)
    if (!entry) return
    const submitter = { organizationId: caller.organizationId, personId: entry.submitted_by }
    emit(tx, caller, 'ai-marketplace.new-version-pending-review', { entryId: entry.id, version }, [submitter])
  })
}
