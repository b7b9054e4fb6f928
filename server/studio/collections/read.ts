import { type Collection, readCollection } from '#contract/studio/collections.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { query } from '#platform/http/operation.ts'
import { listFiltersOf } from '../assets/catalogue/index.ts'
import { showCollection } from './collection.json.ts'
import { shownCollection } from './collection-list.sql.ts'

/** Returns a collection (COL-1 to COL-3). */
export const read = query(readCollection, ({ db, caller, params }) => collectionReply(db, caller, params.id))

/**
 * The collection as the caller sees it, including the changes of the current transaction. Fails with
 * COLLECTION_NOT_FOUND.
 */
export async function collectionReply(db: Db, caller: Caller, id: string): Promise<Collection> {
  const row = await shownCollection(db, id, listFiltersOf(caller, {}))
  return showCollection(row ?? fail('COLLECTION_NOT_FOUND'))
}
