import type { ServedOperation } from '#platform/http/operation.ts'
import { document, list, read, sign } from './budgets.ts'
import { decline } from './decline.ts'
import { openLink, openSession, requestLink, signInForm, signOut } from './sign-in.ts'

/** What contacts of clients do without being members. */
export const portalOperations: ServedOperation[] = [
  signInForm,
  requestLink,
  openLink,
  openSession,
  signOut,
  list,
  read,
  document,
  sign,
  decline,
]
