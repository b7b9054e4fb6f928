import { useMemo } from 'react'
import { listErrorGroups, listOrganizationErrors, readErrorGroup } from '#contract/error-reports/tab.ts'
import { listApplications } from '#contract/integrations/applications.ts'
import { useMay } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { useMinute } from '../../parts/clock.ts'
import { type ErrorSearch, errorFiltersOf, fitsState } from './error.rules.ts'
import type { ErrorGroupItem } from './error.ts'
import { useSteadyRows } from './use-steady-rows.ts'

/** Repeated occurrences change counts without an event of the stream. */
export const countsPollMs = 30_000

/** The errors that fit the filters, each at its place while the counts change. */
export function useErrors(search: ErrorSearch) {
  const query = errorFiltersOf(search, useMinute())
  const { application } = search
  const ofAll = useList(
    listOrganizationErrors,
    { query },
    { enabled: application === undefined, pollMs: countsPollMs },
  )
  const ofOne = useList(
    listErrorGroups,
    { params: { id: application ?? '' }, query },
    { enabled: application !== undefined, pollMs: countsPollMs },
  )
  const list = application === undefined ? ofAll : ofOne
  const steady = useSteadyRows(JSON.stringify([application, query]), list.items)
  const { rows } = steady
  const { state } = search
  const items: readonly ErrorGroupItem[] = useMemo(
    () => rows.filter(error => fitsState(error, { ...(state && { state }) })),
    [rows, state],
  )
  const goneCount = rows.length - items.length
  return {
    list: {
      ...list,
      items,
      ...(list.total !== undefined && { total: list.total - goneCount }),
    },
    newCount: steady.newCount,
    showNew: steady.show,
  }
}

/** An error by its id: as lists show it, and with all details. `listed`: the list has it already. */
export function useError(id: string, listed?: ErrorGroupItem) {
  const found = useRead(
    listOrganizationErrors,
    { query: { ids: [id], limit: 1 } },
    { enabled: listed === undefined },
  )
  const summary = listed ?? found.data?.items[0]
  const detail = useRead(
    readErrorGroup,
    { params: { id: summary?.applicationId ?? '', errorId: id } },
    { enabled: summary !== undefined, pollMs: countsPollMs },
  )
  return {
    summary,
    detail: detail.data,
    error: found.error ?? detail.error,
    isMissing: listed === undefined && found.data?.items.length === 0,
    reload: () => void (found.error ? found.refetch() : detail.refetch()),
  }
}

/** The applications by name: all of them, or those of these errors if the person may not list applications. */
export function useApplications(
  errors: readonly Pick<ErrorGroupItem, 'applicationId' | 'applicationName'>[] = [],
) {
  const may = useMay()
  const mayList = may(listApplications)
  const list = useRead(listApplications, { query: { limit: 100 } }, { enabled: mayList })
  const reported = useRead(listOrganizationErrors, { query: { limit: 100 } }, { enabled: !mayList })
  const known = new Map<string, string>()
  for (const { applicationId, applicationName } of [...(reported.data?.items ?? []), ...errors])
    known.set(applicationId, applicationName)
  for (const { id, name } of list.data?.items ?? []) known.set(id, name)
  return {
    applications: [...known]
      .map(([id, name]) => ({ id, name }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
    isLoading: mayList ? list.isPending : reported.isPending,
    error: list.error ?? reported.error,
  }
}
