import type { Served } from '#platform/http/operation.ts'
import { erase, list, put, read } from './external-users.ts'

/** Users of applications, and who is billed for them: /api/billing/applications/:applicationId/users. */
export const externalUserOperations: Served[] = [list, read, put, erase]
