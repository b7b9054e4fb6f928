import type { Served } from '#platform/http/operation.ts'
import { put } from './put.ts'
import { list, listPast } from './read.ts'
import { revoke } from './revoke.ts'

/** What people let applications do in a channel. */
export const grantOperations: Served[] = [list, put, revoke, listPast]
