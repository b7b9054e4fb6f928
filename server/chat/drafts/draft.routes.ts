import type { ServedOperation } from '#platform/http/operation.ts'
import { list, read, remove, save } from './drafts.ts'

/** Operations on the drafts of a person. */
export const draftOperations: ServedOperation[] = [read, save, remove, list]
