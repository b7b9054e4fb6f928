import { changeErrorGroups } from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import type { Tx } from '#platform/data/db.ts'
import { command } from '#platform/http/operation.ts'
import { applicationNames } from '#server/integrations/index.ts'
import { reopenErrors, resolveErrors, silenceErrors } from './change-state.ts'
import { lockErrors } from './error-group.access.ts'
import { assertConsistent, parseSilence, refusalOf, statesFor } from './error-group.rules.ts'
import { pageOfErrors } from './error-group.sql.ts'
import { parseFilters, parseSearch } from './filters.ts'
import { selectedIds } from './list.ts'

type Body = Input<typeof changeErrorGroups>['body']

/** Changes many errors in one transaction. Errors that cannot change do not affect the others (GRP-21, GRP-22). */
export const bulk = command(changeErrorGroups, async ({ tx, caller, body, audit }) => {
  const { action, ids, silence, graceMinutes = 0, dryRun = false } = body
  assertConsistent(body)
  const condition = silence && parseSilence(silence, 'silence.')
  const names = await applicationNames(tx)
  const { matchedIds, matched } =
    ids === undefined
      ? await findChangeable(tx, selectedIds(names, body.filter?.applicationId), body)
      : { matchedIds: ids, matched: ids.length }
  if (dryRun) return { items: [], matched, changed: 0 }
  const errors = await lockErrors(tx, [...names.keys()], matchedIds)
  const refusals = new Map(errors.map(error => [error.id, refusalOf(action, error) ?? null]))
  const changing = errors.filter(({ id }) => refusals.get(id) === null)
  if (changing.length > 0) {
    if (action === 'RESOLVE') await resolveErrors(tx, caller, changing, graceMinutes)
    else if (condition) await silenceErrors(tx, caller, changing, condition)
    else await reopenErrors(tx, caller, changing)
    audit(caller.organizationId, ['state'], { errors: changing.map(({ id }) => id) })
  }
  const items = matchedIds.map(id => {
    const refusal = refusals.get(id)
    const errorCode = refusal === undefined ? 'ERROR_NOT_FOUND' : refusal
    return { id, changed: errorCode === null, errorCode }
  })
  return { items, matched, changed: changing.length }
})

/** The latest errors of a filter in a state that the action can change, and the number of all of them. */
async function findChangeable(
  tx: Tx,
  applicationIds: readonly string[],
  { action, filter = {} }: Body,
): Promise<{ matchedIds: string[]; matched: number }> {
  const filters = parseFilters(filter)
  const { states: wanted } = filters
  const possible = statesFor(action)
  const states = wanted ? possible.filter(state => wanted.includes(state)) : possible
  const { rows, total } = await pageOfErrors(
    tx,
    applicationIds,
    { ...filters, states, ...parseSearch(filter) },
    { limit: limits.errorsPerFilterChange, offset: 0 },
  )
  return { matchedIds: rows.map(({ id }) => id), matched: total }
}
