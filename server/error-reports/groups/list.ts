import { listErrors, readErrorStatistics } from '#contract/error-reports/errors.ts'
import { type ErrorGroupItem, listErrorGroups, listOrganizationErrors } from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { applicationOf } from '#platform/http/caller.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { applicationFor, applicationNames } from '#server/integrations/index.ts'
import type { ErrorGroupRow } from './error-group.access.ts'
import { showErrorRecord, showGroup, showStatistics } from './error-group.json.ts'
import { pageOfErrors, recentHours, statisticsOf } from './error-group.sql.ts'
import { parseFilters, parseSearch } from './filters.ts'

/** ERR-13, ERR-15. */
export const list = query(listErrors, async ({ db, caller, query }) => {
  const page = pageOf(query)
  const { rows, total } = await pageOfErrors(db, [applicationOf(caller)], parseFilters(query), page)
  return { errors: rows.map(showErrorRecord), pagination: { total, limit: page.limit, offset: page.offset } }
})

/** ERR-17. */
export const statistics = query(readErrorStatistics, async ({ db, caller }) => {
  const { counts, topErrors } = await statisticsOf(db, applicationOf(caller), limits.topErrors)
  return showStatistics(counts, topErrors)
})

/** ERR-23. */
export const tab = query(listErrorGroups, async ({ db, params, query }) => {
  const { limit, offset } = pageOf(query)
  const filters = { ...parseFilters(query), ...parseSearch(query) }
  const [{ id, name }, { rows, total }] = await Promise.all([
    applicationFor(db, params.id),
    pageOfErrors(db, [params.id], filters, { limit, offset }),
  ])
  return { items: await itemsOf(db, rows, new Map([[id, name]])), total, limit, offset }
})

/** The errors of all applications; those of deleted applications are left out (ERR-24). */
export const listAll = query(listOrganizationErrors, async ({ db, query }) => {
  const { limit, offset } = pageOf(query)
  const filters = { ...parseFilters(query), ...parseSearch(query) }
  const names = await applicationNames(db)
  const { rows, total } = await pageOfErrors(db, selectedIds(names, query.applicationId), filters, {
    limit,
    offset,
  })
  return { items: await itemsOf(db, rows, names), total, limit, offset }
})

/** The ids of all applications, or the given one. Refuses APPLICATION_NOT_FOUND. */
export function selectedIds(names: ReadonlyMap<string, string>, applicationId: string | undefined): string[] {
  if (applicationId === undefined) return [...names.keys()]
  return names.has(applicationId) ? [applicationId] : fail('APPLICATION_NOT_FOUND')
}

async function itemsOf(
  db: Db,
  rows: ErrorGroupRow[],
  names: ReadonlyMap<string, string>,
): Promise<ErrorGroupItem[]> {
  const hours = await recentHours(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(row => ({
    ...showGroup(row),
    applicationName: names.get(row.application_id) ?? '',
    hours: hours.get(row.id) ?? [],
  }))
}
