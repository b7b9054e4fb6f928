import type { ServedOperation } from '#platform/http/operation.ts'
import { check } from './check.ts'
import { exportZip, open } from './export.ts'
import { list } from './list.ts'
import { status } from './status.ts'
import { updateOptions } from './update-options.ts'

export const taxRecordOperations: ServedOperation[] = [status, updateOptions, check, exportZip, list, open]
