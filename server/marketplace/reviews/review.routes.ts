import type { ServedOperation } from '#platform/http/operation.ts'
import { mark, unmark } from './helpful/mark.ts'
import { list, listOwn } from './list.ts'
import { remove } from './remove.ts'
import { update } from './update.ts'
import { write } from './write.ts'

/** The operations of reviews and helpful marks. */
export const reviewOperations: ServedOperation[] = [write, list, listOwn, update, remove, mark, unmark]
