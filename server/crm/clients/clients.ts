import * as contract from '#contract/crm/clients.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { listPageOf } from '../paged-list.sql.ts'
import { searchPattern } from '../text-fields.ts'
import { clientFor, lockActiveClient, lockClient } from './client.access.ts'
import { showClient } from './client.json.ts'
import { blankClient, changedFields, withFields } from './client.rules.ts'
import { insertClient, listClients, listClientsByIds, setArchived, setClient } from './client.sql.ts'

export const create = command(contract.createClient, async ({ tx, body, audit }) => {
  const client = await insertClient(tx, withFields(blankClient(newId()), body))
  audit(client.id, changedFields(null, client))
  return showClient(client)
})

export const list = query(contract.listClients, async ({ db, query }) => {
  const { archived, ids } = query
  const { limit, offset } = listPageOf(query)
  const search = searchPattern(query.search)
  const { rows, total } = ids
    ? await listClientsByIds(db, ids, { archived: archived ?? null, search }, { limit, offset })
    : await listClients(db, { archived: archived ?? false, search }, { limit, offset })
  return { items: rows.map(showClient), total, limit, offset }
})

export const read = query(contract.readClient, async ({ db, params }) =>
  showClient(await clientFor(db, params.id)),
)

export const update = command(contract.updateClient, async ({ tx, params, body, audit }) => {
  if (Object.keys(body).length === 0) fail('NOTHING_TO_CHANGE')
  const before = await lockActiveClient(tx, params.id)
  const after = withFields(before, body)
  const changed = changedFields(before, after)
  audit(before.id, changed)
  return showClient(changed.length === 0 ? before : await setClient(tx, after))
})

export const archive = archiving(contract.archiveClient, true)
export const unarchive = archiving(contract.unarchiveClient, false)

function archiving(endpoint: typeof contract.archiveClient, isArchived: boolean): ServedOperation {
  return command(endpoint, async ({ tx, params, audit }) => {
    const client = await lockClient(tx, params.id)
    const isChanged = isArchived !== (client.archived_at !== null)
    audit(client.id, isChanged ? ['archivedAt'] : [])
    return showClient(isChanged ? await setArchived(tx, client.id, isArchived) : client)
  })
}
