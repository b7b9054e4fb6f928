import type { ServedOperation } from '#platform/http/operation.ts'
import { archive, create, endSessions, list, read, unarchive, update } from './contacts.ts'

/** People at clients, or by themselves. */
export const contactOperations: ServedOperation[] = [
  create,
  list,
  read,
  update,
  archive,
  unarchive,
  endSessions,
]
