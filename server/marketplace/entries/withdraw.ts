import { withdrawEntry } from '#contract/marketplace/entries.ts'
import { emit } from '#platform/emit.ts'
import { changes } from '#platform/serve.ts'
import { endFeature } from '../desk/featured/store.ts'
import { lockOwnEntry } from './access.ts'
import { unlist } from './catalogue/catalogue.ts'
import { entryNow } from './read.ts'
import { archiveEntry } from './store.ts'

/** Document 1, DELETE /marketplace/entries/:id. Withdrawing what is withdrawn changes and announces nothing. */
export const withdraw = changes(withdrawEntry, async ({ tx, caller, params: { id }, audits }) => {
  const entry = await lockOwnEntry(tx, caller, id)
  audits(id)
  if (entry.status === 'ARCHIVED') return entryNow(tx, caller, id)
  audits(id, ['status'])
  // before it was approved nobody but its submitter knew of it
  if (entry.status === 'APPROVED') {
    if (await endFeature(tx, id)) emit(tx, caller, 'ai-marketplace.unfeatured', { entryId: id })
    const submitter = { organizationId: caller.organizationId, personId: entry.submitted_by }
    emit(tx, caller, 'ai-marketplace.archived', { entryId: id, reason: null }, [submitter])
  }
  await Promise.all([unlist(tx, entry), archiveEntry(tx, entry)])
  return entryNow(tx, caller, id)
})
