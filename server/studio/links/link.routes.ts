import type { Served } from '#platform/http/operation.ts'
import { byEntity, create, list, remove } from './links.ts'

/** The operations of links. */
export const linkOperations: Served[] = [create, list, remove, byEntity]
