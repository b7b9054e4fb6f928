import * as contract from '#contract/crm/client-imports.ts'
import type { createClient } from '#contract/crm/clients.ts'
import { limits } from '#contract/limits.ts'
import { type Input, pathAt } from '#contract/operation.ts'
import { emit } from '#platform/events/emit.ts'
import { newId } from '#platform/ids.ts'
import type { LineValues } from '../../imports/csv-columns.ts'
import type { ImportKind } from '../../imports/import-kind.ts'
import { ImportStore } from '../../imports/import-store.sql.ts'
import { blankClient, withFields } from '../client.rules.ts'
import { clientColumnNames, parseClient } from './client-columns.ts'
import { countSameClients, type ImportedClient, insertImportedClients } from './client-import.sql.ts'

/** Imports of clients. A line that repeats a client is refused, so that a file can be imported again. */
export const clientImport: ImportKind<ImportedClient> = {
  noun: 'clients',
  operation: `POST ${pathAt('session', contract.importClients)}`,
  movedEvent: 'client-import.moved',
  errors: {
    notFound: 'CLIENT_IMPORT_NOT_FOUND',
    running: 'CLIENT_IMPORT_RUNNING',
    ended: 'CLIENT_IMPORT_ENDED',
  },
  purpose: 'crm client import',
  store: new ImportStore('client_import'),
  columnNames: clientColumnNames,
  isForbidden: () => false,
  parseLine: parseClient,
  itemMaker: async () => itemOf,
  keysOf: ({ client: { name_folded, tax_id, email } }) => [
    JSON.stringify([name_folded, tax_id?.toUpperCase() ?? '', tax_id ? '' : (email?.toLowerCase() ?? '')]),
  ],
  countStored: (tx, _cipher, items) => countSameClients(tx, items),
  duplicateError: { column: 'name', message: 'repeats a client with the same tax ID or e-mail' },
  async create(tx, importer, items) {
    if (items.length === 0) return
    const ids = items.map(({ id }) => id)
    for (let at = 0; at < ids.length; at += limits.idsPerFrame) {
      const some = ids.slice(at, at + limits.idsPerFrame)
      emit(tx, importer, 'client.changed', { ids: some, createdIds: some })
    }
    await insertImportedClients(tx, items)
  },
}

function itemOf({ billingContactName, billingContactEmail, ...fields }: LineValues): ImportedClient {
  const id = newId()
  const client = withFields(blankClient(id), fields as Input<typeof createClient>['body'])
  return {
    id,
    client,
    billingContact:
      billingContactEmail === undefined
        ? null
        : {
            id: newId(),
            name: String(billingContactName ?? client.name).trim(),
            email: String(billingContactEmail).trim(),
          },
  }
}
