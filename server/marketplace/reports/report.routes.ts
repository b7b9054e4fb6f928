import type { ServedOperation } from '#platform/http/operation.ts'
import { report } from './report.ts'
import { list, settle } from './triage.ts'

/** Reports of entries, and what the review team makes of them. */
export const reportOperations: ServedOperation[] = [report, list, settle]
