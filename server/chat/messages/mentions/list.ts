import { listMentions } from '#contract/chat/messages.ts'
import { query } from '#platform/http/operation.ts'
import { pageFrom } from '../../cursor-page.ts'
import { showMessage } from '../message.json.ts'
import { lastLooked, mentionsBefore } from './mention.sql.ts'

/** After every id. */
const end = '~'

/** A page of where the caller was mentioned, the newest first. */
export const mentions = query(listMentions, async ({ db, caller: { personId }, query }) => {
  const { before = end } = query
  const page = await pageFrom(query, (_, limit) => mentionsBefore(db, before, personId, limit))
  const nextBefore = page.nextBefore ?? (await lastLooked(db, before, personId))
  return { items: page.items.map(showMessage), nextBefore }
})
