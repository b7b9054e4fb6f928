import * as contract from '#contract/crm/client-imports.ts'
import type { ServedOperation } from '#platform/http/operation.ts'
import { importOperations } from '../imports/import-operations.ts'
import * as billingContacts from './billing-contacts/billing-contacts.ts'
import { archive, create, list, read, unarchive, update } from './clients.ts'
import { clientImport } from './imports/client-import.ts'

/** The operations on clients and their billing contacts. */
export const clientOperations: ServedOperation[] = [
  create,
  list,
  read,
  update,
  archive,
  unarchive,
  billingContacts.list,
  billingContacts.add,
  billingContacts.update,
  billingContacts.remove,
  ...importOperations(clientImport, {
    start: contract.importClients,
    list: contract.listClientImports,
    read: contract.readClientImport,
    cancel: contract.cancelClientImport,
  }),
]
