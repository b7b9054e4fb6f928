import { readAppMessage } from '#contract/chat/application-messages.ts'
import { query } from '#platform/http/operation.ts'
import { visibleMessageFor } from '../message.access.ts'
import { showAppMessage } from '../message.json.ts'

/** MSG-4. */
export const readVisible = query(readAppMessage, async ({ db, caller, params }) =>
  showAppMessage(await visibleMessageFor(db, caller, params.messageId)),
)
