import type { ServedOperation } from '#platform/http/operation.ts'
import { check } from './check.ts'
import { list } from './list.ts'
import { read } from './read.ts'
import { file } from './read-file.ts'
import { submit } from './submit.ts'
import { update } from './update.ts'
import { withdraw } from './withdraw.ts'

/** The operations of entries. */
export const entryOperations: ServedOperation[] = [submit, check, list, read, file, update, withdraw]
