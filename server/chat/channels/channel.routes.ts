import type { ServedOperation } from '#platform/http/operation.ts'
import { openDirect } from '../conversations/direct.ts'
import { createPortal } from '../conversations/portal.ts'
import { archive, unarchive } from './archive.ts'
import { create } from './create.ts'
import { listGoverned, listOpen, listOwn, read } from './listing/list.ts'
import { update } from './update.ts'

/** Operations of people on channels and conversations. */
export const channelOperations: ServedOperation[] = [
  create,
  openDirect,
  createPortal,
  listOwn,
  listOpen,
  listGoverned,
  read,
  update,
  archive,
  unarchive,
]
