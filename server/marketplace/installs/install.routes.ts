import type { ServedOperation } from '#platform/http/operation.ts'
import { key } from '../provenance/key.ts'
import { install } from './install.ts'
import { list, listOfEntry, read } from './list.ts'
import { update } from './update.ts'

/** The operations of installs, updates and provenance. */
export const installOperations: ServedOperation[] = [install, list, listOfEntry, read, update, key]
