import { listFiles } from '#contract/studio/files.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { versionFor } from '../versions/version.access.ts'
import { showFile } from './file.json.ts'
import { filesPage } from './file.sql.ts'

/** Lists the attachments of a version (FIL-11). */
export const list = query(listFiles, async ({ db, caller, params, query }) => {
  const { version } = await versionFor(db, caller, params.id, params.version, 'read')
  const page = pageOf(query)
  const { rows, total } = await filesPage(db, version.id, page)
  return { items: rows.map(showFile), total, ...page }
})
