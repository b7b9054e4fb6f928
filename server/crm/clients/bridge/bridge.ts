import type { createClient } from '#contract/crm/clients.ts'
import type { Input } from '#contract/operation.ts'
import type { Tx } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import { lockActiveClient } from '../client.access.ts'
import type { ClientRow } from '../client.row.ts'
import { blankClient, changedFields, withFields } from '../client.rules.ts'
import { insertClient, setClient } from '../client.sql.ts'
import { findAlike } from './client-bridge.sql.ts'

type Given = Input<typeof createClient>['body']

/**
 * The client of this name and tax id; a new one when there is none, or no tax id: two people may have the same name. Whoever
 * asks sees to it that two who ask for the same do so one after the other.
 */
export async function bridgeClient(tx: Tx, given: Given): Promise<ClientRow> {
  const wanted = withFields(blankClient(newId()), given)
  const found = wanted.tax_id && (await findAlike(tx, wanted.name_folded, wanted.tax_id))
  return found ? completeClient(tx, found.id, given) : insertClient(tx, wanted)
}

/** Tells a client what it lacks; what stands there stays. Refuses CLIENT_NOT_FOUND and CLIENT_ARCHIVED. */
export async function completeClient(tx: Tx, id: string, given: Partial<Given>): Promise<ClientRow> {
  const before = await lockActiveClient(tx, id)
  const { name: _name, ...wanted } = given
  const filled = withFields(before, wanted)
  const after = { ...filled }
  for (const name of Object.keys(before) as (keyof ClientRow)[])
    if (before[name] !== null) after[name] = before[name] as never
  return changedFields(before, after).length === 0 ? before : setClient(tx, after)
}
