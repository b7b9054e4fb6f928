import type { ServedOperation } from '#platform/http/operation.ts'
import { document, list, read, sealedDocument, sign } from './budgets.ts'
import { decline } from './decline.ts'
import { openLink, openSession, requestLink, signInForm, signOut } from './sign-in.ts'

/** The operations of the customer portal. */
export const portalOperations: ServedOperation[] = [
  signInForm,
  requestLink,
  openLink,
  openSession,
  signOut,
  list,
  read,
  document,
  sealedDocument,
  sign,
  decline,
]
