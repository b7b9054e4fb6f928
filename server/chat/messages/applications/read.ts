import { readAppMessage } from '#contract/chat/application-messages.ts'
import { reads } from '#platform/serve.ts'
import { visibleMessageFor } from '../access.ts'
import { showAppMessage } from '../show.ts'

/** One message, through the filter of what applications see (MSG-4). */
export const readVisible = reads(readAppMessage, async ({ db, caller, params }) =>
  showAppMessage(await visibleMessageFor(db, caller, params.messageId)),
)
