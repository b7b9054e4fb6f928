import type { ServedOperation } from '#platform/http/operation.ts'
import { put } from './put.ts'
import { list, listPast } from './read.ts'
import { revoke } from './revoke.ts'

/** What people let applications do in a channel. */
export const grantOperations: ServedOperation[] = [list, put, revoke, listPast]
