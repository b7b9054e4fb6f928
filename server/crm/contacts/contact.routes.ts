import type { Served } from '#platform/http/operation.ts'
import { archive, create, list, read, showOut, unarchive, update } from './contacts.ts'

/** People at clients, or by themselves. */
export const contactOperations: Served[] = [create, list, read, update, archive, unarchive, showOut]
