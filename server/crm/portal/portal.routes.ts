import type { ServedOperation } from '#platform/http/operation.ts'
import { document, list, read, sealedDocument, sign } from './budgets.ts'
import { decline } from './decline.ts'
import * as access from './portal-access.ts'
import { openLink, openSession, requestLink, signInForm, signOut } from './sign-in.ts'

/** The operations of the customer portal, and those of the team on its sessions and links. */
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
  access.list,
  access.end,
  access.endAll,
]
