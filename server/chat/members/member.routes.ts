import type { ServedOperation } from '#platform/http/operation.ts'
import { moveRead, unread } from '../read-markers/move.ts'
import { openStream } from '../stream/open.ts'
import { join, leave } from './join-leave.ts'
import { add, change, list, remove } from './members.ts'
import { notify } from './set-notification.ts'

/** Operations on channel members and read markers, and the event stream. */
export const memberOperations: ServedOperation[] = [
  list,
  add,
  change,
  remove,
  join,
  leave,
  moveRead,
  unread,
  notify,
  openStream,
]
