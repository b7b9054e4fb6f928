import type { ServedOperation } from '#platform/http/operation.ts'
import { openDirect } from '../conversations/direct.ts'
import { createPortal } from '../conversations/portal.ts'
import { archive, unarchive } from './archive.ts'
import { create } from './create.ts'
import { listDiscoverable, listManageable, listOwn, read } from './listing/list.ts'
import { update } from './update.ts'

/** Operations of people on channels and conversations. */
export const channelOperations: ServedOperation[] = [
  create,
  openDirect,
  createPortal,
  listOwn,
  listDiscoverable,
  listManageable,
  read,
  update,
  archive,
  unarchive,
]
