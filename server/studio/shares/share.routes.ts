import type { ServedOperation } from '#platform/http/operation.ts'
import { create } from './create.ts'
import { list } from './list.ts'
import { remove } from './remove.ts'

/** The operations of shares. */
export const shareOperations: ServedOperation[] = [create, list, remove]
