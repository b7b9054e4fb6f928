import type { ServedOperation } from '#platform/http/operation.ts'
import { put } from './put.ts'
import { list, listPast } from './read.ts'
import { revoke } from './revoke.ts'

/** Operations of people on the grants of applications. */
export const grantOperations: ServedOperation[] = [list, put, revoke, listPast]
