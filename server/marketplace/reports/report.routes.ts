import type { ServedOperation } from '#platform/http/operation.ts'
import { report } from './report.ts'
import { list, settle } from './triage.ts'

/** The operations of reports. */
export const reportOperations: ServedOperation[] = [report, list, settle]
