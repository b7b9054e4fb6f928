import type { ServedOperation } from '#platform/http/operation.ts'
import { erase, list, put, read } from './external-users.ts'

/** Users of applications and the clients that are billed for them: /api/billing/applications/:applicationId/users. */
export const externalUserOperations: ServedOperation[] = [list, read, put, erase]
