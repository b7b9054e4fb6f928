import { listMentions } from '#contract/chat/messages.ts'
import { limits } from '#contract/limits.ts'
import { reads } from '#platform/serve.ts'
import { showMessage } from '../show.ts'
import { lastLooked, mentionsBefore } from './store.ts'

/** After every id. */
const end = '~'

/** A page of where the caller was mentioned, the newest first. */
export const mentions = reads(listMentions, async ({ db, caller: { personId }, query }) => {
  const { before = end, limit = limits.messagesPageDefault } = query
  const rows = await mentionsBefore(db, before, personId, limit + 1)
  const items = rows.slice(0, limit).map(showMessage)
  const nextBefore = rows.length > limit ? items.at(-1)!.id : await lastLooked(db, before, personId)
  return { items, nextBefore }
})
