import type { AccessLevel } from '#contract/studio/assets.ts'
import type { Database } from '#platform/data/database.ts'
import type { AssetRow } from '#server/studio/assets/asset.access.ts'
import { moveInSearch } from '#server/studio/assets/catalogue/indexing/asset-index.sql.ts'
import type { Grantee } from '#server/studio/shares/share.rules.ts'
import { putShares } from '#server/studio/shares/share.sql.ts'
import { defined } from '#tests/support/elements.ts'

const batchSize = 100

/**
 * Shares assets on behalf of their authors, many in one transaction, as the operation does: asset by asset
 * with the grantees that `granteesOf` returns for the index of the asset.
 */
export async function seedShares(
  database: Database,
  organizationId: string,
  assetIds: readonly string[],
  granteesOf: (at: number) => Grantee[],
  { level = 'READ', expiresAt = null }: { level?: AccessLevel; expiresAt?: string | null } = {},
): Promise<void> {
  const { rows } = await database.pool.query(
    'select * from asset where organization_id = $1 and id = any($2)',
    [organizationId, assetIds],
  )
  const assets = new Map((rows as AssetRow[]).map(row => [row.id, row]))
  for (let start = 0; start < assetIds.length; start += batchSize) {
    await database.transact(organizationId, tx =>
      Promise.all(
        assetIds.slice(start, start + batchSize).flatMap((id, at) => {
          const asset = defined(assets.get(id))
          const terms = { level, expiresAt, sharedBy: asset.author_id }
          return [putShares(tx, asset, granteesOf(start + at), terms), moveInSearch(tx, id, asset)]
        }),
      ),
    )
  }
}
