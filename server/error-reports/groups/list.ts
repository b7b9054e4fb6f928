import { listErrors, readErrorStatistics } from '#contract/error-reports/errors.ts'
import { listErrorGroups } from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'
import { query } from '#platform/http/operation.ts'
import { applicationFor } from '#server/integrations/index.ts'
import { showErrorRecord, showGroup, showStatistics } from './error-group.json.ts'
import { pageOfErrors, statisticsOf } from './error-group.sql.ts'
import { parseFilters } from './filters.ts'

/** ERR-13, ERR-15. */
export const list = query(listErrors, async ({ db, caller, query }) => {
  const page = query as { limit: number; offset: number }
  const { rows, total } = await pageOfErrors(db, caller.applicationId!, parseFilters(query), page)
  return { errors: rows.map(showErrorRecord), pagination: { total, limit: page.limit, offset: page.offset } }
})

/** ERR-17. */
export const statistics = query(readErrorStatistics, async ({ db, caller }) => {
  const { counts, topErrors } = await statisticsOf(db, caller.applicationId!, limits.topErrors)
  return showStatistics(counts, topErrors)
})

export const tab = query(listErrorGroups, async ({ db, params, query }) => {
  const { limit, offset } = query as { limit: number; offset: number }
  const filters = parseFilters(query)
  const [, { rows, total }] = await Promise.all([
    applicationFor(db, params.id),
    pageOfErrors(db, params.id, filters, { limit, offset }),
  ])
  return { items: rows.map(showGroup), total, limit, offset }
})
