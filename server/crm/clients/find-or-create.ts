import type { createClient } from '#contract/crm/clients.ts'
import type { Input } from '#contract/operation.ts'
import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { lockActiveClient } from './client.access.ts'
import type { ClientRow } from './client.row.ts'
import { blankClient, changedFields, withFields } from './client.rules.ts'
import { insertClient, setClient } from './client.sql.ts'
import { findClientByNameAndTaxId } from './client-match.sql.ts'

type ClientInput = Input<typeof createClient>['body']

/**
 * Returns the client with this name and tax id, with its empty fields filled in. Creates a client when none matches, or when
 * no tax id is given, because two people may have the same name. The caller serializes requests for the same client.
 */
export async function findOrCreateClient(tx: Tx, input: ClientInput): Promise<ClientRow> {
  const client = withFields(blankClient(newId()), input)
  const match = client.tax_id && (await findClientByNameAndTaxId(tx, client.name_folded, client.tax_id))
  return match ? fillMissingClientFields(tx, match.id, input) : insertClient(tx, client)
}

/** Fills in the empty fields of a client and keeps the others. Refuses CLIENT_NOT_FOUND and CLIENT_ARCHIVED. */
export async function fillMissingClientFields(
  tx: Tx,
  id: string,
  input: Partial<ClientInput>,
): Promise<ClientRow> {
  const before = await lockActiveClient(tx, id)
  const { name: _name, ...fields } = input
  const filled = withFields(before, fields)
  const after = { ...filled }
  for (const name of Object.keys(before) as (keyof ClientRow)[])
    if (before[name] !== null) after[name] = before[name] as never
  return changedFields(before, after).length === 0 ? before : setClient(tx, after)
}
