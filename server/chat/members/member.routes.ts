import type { ServedOperation } from '#platform/http/operation.ts'
import { moveRead } from '../read-markers/move.ts'
import { openStream } from '../stream/open.ts'
import { join, leave } from './join-leave.ts'
import { add, change, list, remove } from './members.ts'

/** Operations on channel members and read markers, and the event stream. */
export const memberOperations: ServedOperation[] = [
  list,
  add,
  change,
  remove,
  join,
  leave,
  moveRead,
  openStream,
]
