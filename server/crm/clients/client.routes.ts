import type { ServedOperation } from '#platform/http/operation.ts'
import * as billingContacts from './billing-contacts/billing-contacts.ts'
import { archive, create, list, read, unarchive, update } from './clients.ts'

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
]
