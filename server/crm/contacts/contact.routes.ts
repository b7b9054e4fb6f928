import type { ServedOperation } from '#platform/http/operation.ts'
import { archive, create, endSessions, list, read, unarchive, update } from './contacts.ts'

/** The operations on contacts. */
export const contactOperations: ServedOperation[] = [
  create,
  list,
  read,
  update,
  archive,
  unarchive,
  endSessions,
]
