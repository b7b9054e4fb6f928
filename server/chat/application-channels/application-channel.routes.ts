import type { ServedOperation } from '#platform/http/operation.ts'
import { archive } from './archive.ts'
import { create } from './create.ts'
import { add, remove } from './members.ts'
import { list, read } from './read.ts'
import { update } from './update.ts'

/** Operations of applications on channels and their members (GRT-4 to GRT-14). */
export const applicationChannelOperations: ServedOperation[] = [
  create,
  update,
  archive,
  add,
  remove,
  list,
  read,
]
