import { listClients } from '#contract/crm/clients.ts'
import { useRead } from '../../data/read.ts'

const most = 100

/** The names of clients by id, read together: give all rows of a page the same ids. */
export function useClientNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const unique = [...new Set(ids)].sort().slice(0, most)
  const { data } = useRead(
    listClients,
    { query: { ids: unique, limit: most } },
    { enabled: unique.length > 0 },
  )
  return new Map(data?.items.map(({ id, name }) => [id, name]))
}

/** The name of a client in a row of a list; `ids` are those of the rows around it. */
export function ClientName({ id, ids }: { id: string; ids: readonly string[] }) {
  return <>{useClientNames(ids).get(id) ?? '…'}</>
}
