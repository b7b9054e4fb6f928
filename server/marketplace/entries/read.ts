import { type Entry, readEntry } from '#contract/marketplace/entries.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { query } from '#platform/http/operation.ts'
import { showEntry } from './entry.json.ts'
import { detailOf } from './entry-detail.sql.ts'

/** Reads an entry (ENT-20). */
export const read = query(readEntry, ({ db, caller, params }) => entryNow(db, caller, params.id))

/** The entry as the caller sees it, including changes of the transaction. Refuses ENTRY_NOT_FOUND. */
export async function entryNow(db: Db, caller: Caller, id: string): Promise<Entry> {
  return showEntry(
    (await detailOf(db, caller.personId, caller.isAdministrator, id)) ?? fail('ENTRY_NOT_FOUND'),
  )
}
