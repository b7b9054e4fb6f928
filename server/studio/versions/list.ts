import { listVersions } from '#contract/studio/versions.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { accessOf, readerOf } from '../assets/asset.access.ts'
import { showVersionItem } from './version.json.ts'
import { versionsPage } from './version-history.sql.ts'

/** Lists the versions of an asset, newest first (VER-5). */
export const list = query(listVersions, async ({ db, caller, params, query }) => {
  const { limit, offset } = pageOf(query)
  const rows = await versionsPage(db, readerOf(caller), params.id, limit, offset)
  const { access, total } = rows[0] ?? fail('ASSET_NOT_FOUND')
  accessOf(access)
  return {
    items: rows.flatMap(row => (row.version === null ? [] : [showVersionItem(row)])),
    total,
    limit,
    offset,
  }
})
