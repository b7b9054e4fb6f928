import { readMessage } from '#contract/chat/messages.ts'
import { reads } from '#platform/serve.ts'
import { messageFor } from './access.ts'
import { showMessage } from './show.ts'

/** One message, also a deleted one, without its content. */
export const read = reads(readMessage, async ({ db, caller, params }) =>
  showMessage(await messageFor(db, caller, params.messageId)),
)
