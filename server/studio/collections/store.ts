import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/statement.ts'
import { fail } from '#platform/fail.ts'

const insertFilings = sql<
  { collection_id: string },
  [assetId: string, personId: string, collectionIds: readonly string[]]
>(`
  insert into collection_asset (organization_id, collection_id, asset_id, added_by)
  select $1, k.id, $2, $3 from collection k where k.organization_id = $1 and k.id = any($4::text[])
  on conflict (organization_id, collection_id, asset_id) do update set added_by = collection_asset.added_by
  returning collection_id`)

/** Files an asset in collections. Refuses COLLECTION_NOT_FOUND when one of them does not exist. */
export async function fileInCollections(
  tx: Tx,
  caller: Caller,
  assetId: string,
  collectionIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(collectionIds)]
  if (ids.length === 0) return
  const filed = await tx.rows(insertFilings, assetId, caller.personId, ids)
  if (filed.length !== ids.length) fail('COLLECTION_NOT_FOUND')
}
