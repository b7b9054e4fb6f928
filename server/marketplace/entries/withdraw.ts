import { withdrawEntry } from '#contract/marketplace/entries.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { endFeature } from '../review-queue/featured.sql.ts'
import { unlist } from './catalogue/catalogue.ts'
import { type EntryRow, lockEntryOfAsset, lockManagedEntry } from './entry.access.ts'
import { archiveEntry } from './entry.sql.ts'
import { entryNow } from './read.ts'

/** Withdraws an entry. Withdrawing it again changes nothing and emits no event. */
export const withdraw = command(withdrawEntry, async ({ tx, caller, params: { id }, audit }) => {
  const entry = await lockManagedEntry(tx, caller, id)
  audit(id)
  if (entry.status === 'ARCHIVED') return entryNow(tx, caller, id)
  audit(id, ['status'])
  await archive(tx, caller, entry)
  return entryNow(tx, caller, id)
})

/** Withdraws the entry of an asset that is archived or deleted. */
export async function withdrawSource(tx: Tx, caller: Caller, assetId: string): Promise<void> {
  const entry = await lockEntryOfAsset(tx, assetId)
  if (!entry || entry.status === 'ARCHIVED' || entry.status === 'REJECTED') return
  await archive(tx, caller, entry)
}

async function archive(tx: Tx, caller: Caller, entry: EntryRow): Promise<void> {
  const { id: entryId, status, submitted_by: personId } = entry
  if (status === 'APPROVED' && (await endFeature(tx, entryId)))
    emit(tx, caller, 'ai-marketplace.unfeatured', { entryId })
  // only the submitter knows an entry that was never approved, and needs no event about their own action
  if (status === 'APPROVED' || personId !== caller.personId) {
    const submitter = { organizationId: caller.organizationId, personId }
    emit(tx, caller, 'ai-marketplace.archived', { entryId, reason: null }, [submitter])
  }
  await Promise.all([unlist(tx, entry), archiveEntry(tx, entry)])
}
