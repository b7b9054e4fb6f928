import { type DeletedAsset, listDeletedAssets, restoreAsset } from '#contract/studio/lifecycle.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { firstOf } from '#platform/required.ts'
import { contentOf } from '../versions/version.sql.ts'
import { lockRestorableAsset, readerOf } from './asset.access.ts'
import { type DeletedRow, listDeleted } from './asset.sql.ts'
import { assetReply } from './read.ts'
import { undeleteAsset } from './write.ts'

/** Restores a deleted asset. Restoring it again changes nothing (AST-33). */
export const restore = command(restoreAsset, async ({ tx, caller, params: { id }, audit }) => {
  const asset = await lockRestorableAsset(tx, caller, id, 'admin')
  audit(id)
  if (!asset.listed) {
    const content = (await contentOf(tx, asset.current_version_id)) ?? fail('ASSET_NOT_FOUND')
    await undeleteAsset(tx, asset, content.bodyMarkdown)
    emit(tx, caller, 'ai-asset.created', { assetId: id, slug: asset.slug, restored: true })
    audit(id, ['deletedAt'])
  }
  return assetReply(tx, caller, id)
})

/** Lists the deleted assets that the caller may restore (AST-34). */
export const listRestorable = query(listDeletedAssets, async ({ db, caller, query }) => {
  const { limit, offset } = pageOf(query)
  const rows = await listDeleted(db, readerOf(caller), limit, offset)
  return { items: rows.flatMap(showDeleted), total: firstOf(rows).total, limit, offset }
})

function showDeleted(row: DeletedRow): DeletedAsset[] {
  if (row.id === null) return []
  const { id, type, slug, name, status, visibility } = row
  const deletedBy = row.deleted_by === null ? null : { id: row.deleted_by, name: row.deleter_name ?? '' }
  return [
    {
      id,
      type,
      slug,
      name,
      status,
      visibility,
      version: row.current_version,
      author: { id: row.author_id, name: row.author_name },
      deletedAt: row.deleted_at,
      deletedBy,
      restorableUntil: row.restorable_until,
    },
  ]
}
