import { listMentions } from '#contract/chat/messages.ts'
import { query } from '#platform/http/operation.ts'
import { readCursorPage } from '../../cursor-page.ts'
import { showMessage } from '../message.json.ts'
import { lastScanned, mentionsBefore } from './mention.sql.ts'

/** Sorts after every id. */
const afterAllIds = '~'

/** A page may be short because unreadable messages are skipped; `nextBefore` then continues after the scanned mentions. */
export const mentions = query(listMentions, async ({ db, caller: { personId }, query }) => {
  const { before = afterAllIds } = query
  const page = await readCursorPage(query, (_, limit) => mentionsBefore(db, before, personId, limit))
  const nextBefore = page.nextBefore ?? (await lastScanned(db, before, personId))
  return { items: page.items.map(showMessage), nextBefore }
})
