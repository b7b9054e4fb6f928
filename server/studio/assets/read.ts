import { type Asset, readAsset, readAssetBySlug } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { query, stream } from '#platform/http/operation.ts'
import { readerOf } from './asset.access.ts'
import { showAsset } from './asset.json.ts'
import { assetDetail, assetDetailBySlug } from './asset.sql.ts'

/** Returns an asset with its active content. */
export const read = query(readAsset, ({ db, caller, params }) => assetReply(db, caller, params.id))

/** The asset as the caller sees it, including the changes of the current transaction. */
export async function assetReply(db: Db, caller: Caller, id: string): Promise<Asset> {
  return showAsset((await assetDetail(db, readerOf(caller), id)) ?? fail('ASSET_NOT_FOUND'))
}

/** A former slug redirects to the current one, if the caller may read the asset (AST-14, AST-15). */
export const readBySlug = stream(readAssetBySlug, async ({ db, caller, params, reply }) => {
  const row = (await assetDetailBySlug(db, readerOf(caller), params.slug)) ?? fail('ASSET_NOT_FOUND')
  const asset = showAsset(row)
  if (row.is_current) return asset
  return reply.redirect(`/api/studio/assets/by-slug/${asset.slug}`, 301)
})
