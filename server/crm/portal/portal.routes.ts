import type { ServedOperation } from '#platform/http/operation.ts'
import { document, list, read, sign } from './budgets.ts'
import { decline } from './decline.ts'
import { auth, enter, leave, open, request } from './sign-in.ts'

/** What contacts of clients do without being members. */
export const portalOperations: ServedOperation[] = [
  auth,
  request,
  enter,
  open,
  leave,
  list,
  read,
  document,
  sign,
  decline,
]
