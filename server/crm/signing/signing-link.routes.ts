import type { Served } from '#platform/http/operation.ts'
import { issue } from './issue.ts'
import { list, revoke } from './links.ts'
import { decline } from './page/decline.ts'
import { openDocument } from './page/document.ts'
import { open } from './page/open.ts'
import { sign } from './page/sign.ts'
import { send } from './send.ts'

/** The links with which clients sign, and what is behind them. */
export const signingOperations: Served[] = [issue, list, revoke, send, open, openDocument, sign, decline]
