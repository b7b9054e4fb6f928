import type { ServedOperation } from '#platform/http/operation.ts'
import { byEntity, create, list, remove } from './links.ts'

/** The operations of links. */
export const linkOperations: ServedOperation[] = [create, list, remove, byEntity]
