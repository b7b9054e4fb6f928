import type { ServedOperation } from '#platform/http/operation.ts'
import { issue } from './issue.ts'
import { list, revoke } from './links.ts'
import { decline } from './page/decline.ts'
import { openDocument, openSealedDocument } from './page/document.ts'
import { openPage } from './page/open.ts'
import { sign } from './page/sign.ts'
import { send } from './send.ts'

/** The operations on signing links and their pages. */
export const signingOperations: ServedOperation[] = [
  issue,
  list,
  revoke,
  send,
  openPage,
  openDocument,
  openSealedDocument,
  sign,
  decline,
]
