import type { ServedOperation } from '#platform/http/operation.ts'
import { activate } from './activate.ts'
import { create } from './create.ts'
import { diff } from './diff.ts'
import { list } from './list.ts'
import { read } from './read.ts'
import { rollback } from './rollback.ts'

/** Every operation on versions. */
export const versionOperations: ServedOperation[] = [list, read, create, rollback, activate, diff]
