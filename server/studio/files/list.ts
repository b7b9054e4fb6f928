import { listFiles } from '#contract/studio/files.ts'
import { reads } from '#platform/serve.ts'
import { versionFor } from '../versions/access.ts'
import { showFile } from './show.ts'
import { pageOfFiles } from './store.ts'

/** Document 1, GET /assets/:id/versions/:version/files. */
export const list = reads(listFiles, async ({ db, caller, params, query }) => {
  const { version } = await versionFor(db, caller, params.id, params.version, 'read')
  const page = { limit: query.limit!, offset: query.offset! }
  const { rows, total } = await pageOfFiles(db, version.id, page)
  return { items: rows.map(showFile), total, ...page }
})
