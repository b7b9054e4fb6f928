import type { ServedOperation } from '#platform/http/operation.ts'
import { answer, listApplications, list as listOfOperators } from './answer.ts'
import { grant } from './grant.ts'
import { list, request, withdraw } from './request.ts'

/** Requests for critical scopes, and the operations of operators that answer them. */
export const criticalScopeOperations: ServedOperation[] = [
  request,
  list,
  withdraw,
  grant,
  listApplications,
  listOfOperators,
  answer,
]
