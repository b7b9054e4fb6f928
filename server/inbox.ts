import { type InboxItem, listInbox } from '#contract/identity/inbox.ts'
import { limits } from '#contract/limits.ts'
import { areas } from './areas.ts'
import { listDoneMarks } from './identity/area.ts'
import { nowMs } from './platform/clock.ts'
import { query } from './platform/http/operation.ts'

const windowMs = limits.inboxDays * 86_400_000

/** Items are derived from the rows of the areas; only the marks are stored (HOM-5, HOM-7). */
export const inbox = query(listInbox, async ({ db, caller }) => {
  const [marks, ...parts] = await Promise.all([
    db.rows(listDoneMarks, { personId: caller.personId }),
    ...areas.map(area => area.inbox?.(db, caller) ?? []),
  ])
  const done = new Set(marks.map(({ item }) => item))
  const windowStart = new Date(nowMs() - windowMs).toISOString()
  const doneUntil = marks.find(({ item }) => item === '')?.done_until ?? ''
  const from = doneUntil > windowStart ? doneUntil : windowStart
  const items = parts
    .flat()
    .filter(({ id, at }) => at > from && !done.has(id))
    .sort((a, b) => Number(keyOf(a) < keyOf(b)) || -1)
  return { items: items.slice(0, limits.inboxItems) }
})

/** Newest first, and a fixed order within a millisecond. */
function keyOf({ at, id }: Pick<InboxItem, 'at' | 'id'>): string {
  return `${at} ${id}`
}
