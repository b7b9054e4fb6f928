import { readMessage } from '#contract/chat/messages.ts'
import { query } from '#platform/http/operation.ts'
import { messageFor } from './message.access.ts'
import { showMessage } from './message.json.ts'

export const read = query(readMessage, async ({ db, caller, params }) =>
  showMessage(await messageFor(db, caller, params.messageId)),
)
