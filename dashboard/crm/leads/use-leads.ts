import { useMemo } from 'react'
import { readLeadValues } from '#contract/crm/lead-values.ts'
import { listLeads, searchLeads } from '#contract/crm/leads.ts'
import { listPeople } from '#contract/identity/people.ts'
import { useNewRows } from '../../data/new-rows.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { type Lead, withoutRepeated } from './lead.ts'
import { type LeadFilters, listInputOf, searchInputOf } from './lead-search.ts'

/** The most ids that one call takes. */
const mostIds = 100

/** The leads that fit the filters, and how many fitting ones others have added since. */
export function useLeads(filters: LeadFilters) {
  const searching = searchInputOf(filters)
  const input = listInputOf(filters)
  const listed = useList(listLeads, input, { enabled: searching === undefined })
  const found = useList(searchLeads, searching ?? { query: { q: '' } }, { enabled: searching !== undefined })
  const list = searching ? found : listed
  const items = useMemo(() => withoutRepeated<Lead>(list.items), [list.items])
  const shown = useMemo(() => new Set(items.map(({ id }) => id)), [items])
  const added = useNewRows(listLeads, shown)
  const ids = added.ids.slice(0, mostIds)
  const fitting = useRead(
    listLeads,
    { query: { ...input.query, ids, limit: 1 } },
    { enabled: ids.length > 0 && !searching },
  )
  const newCount = searching || ids.length === 0 ? 0 : (fitting.data?.pagination.total ?? 0)
  return { list: { ...list, items }, newCount, showNew: added.show }
}

/** The names of the owners of these leads; also of people who have left. */
export function useOwnerNames(leads: readonly Lead[]): ReadonlyMap<string, string> {
  const { caller } = useOrganization()
  const values = useRead(readLeadValues)
  const known = useMemo(
    () =>
      new Map([
        ...(values.data?.assignees.items ?? []).flatMap(({ id, name }) =>
          name === null ? [] : [[id, name] as const],
        ),
        [caller.person.id, caller.person.name] as const,
      ]),
    [values.data, caller.person.id, caller.person.name],
  )
  const others = useMemo(() => {
    const ids = new Set(leads.flatMap(({ assigneeId }) => assigneeId ?? []))
    return [...ids].filter(id => !known.has(id)).slice(0, mostIds)
  }, [leads, known])
  const people = useRead(
    listPeople,
    { query: { ids: others } },
    { enabled: values.data !== undefined && others.length > 0 },
  )
  return useMemo(
    () => new Map([...known, ...(people.data?.items ?? []).map(({ id, name }) => [id, name] as const)]),
    [known, people.data],
  )
}
