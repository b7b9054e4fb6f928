import { updateEntry } from '#contract/marketplace/entries.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { normalizeTags } from '#server/studio/index.ts'
import { retag } from './catalogue/catalogue.ts'
import { lockManagedEntry } from './entry.access.ts'
import { entryNow } from './read.ts'

/** Updates category and tags of an entry (ENT-21). */
export const update = command(updateEntry, async ({ tx, caller, params: { id }, body, audit }) => {
  const entry = await lockManagedEntry(tx, caller, id)
  if (entry.status === 'ARCHIVED') fail('ENTRY_ARCHIVED')
  const { category } = body
  audit(id, await retag(tx, entry, { category, tags: body.tags && normalizeTags(body.tags) }))
  return entryNow(tx, caller, id)
})
