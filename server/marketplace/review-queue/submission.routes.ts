import type { ServedOperation } from '#platform/http/operation.ts'
import { approve } from './approve.ts'
import { delist } from './delist.ts'
import { feature, unfeature } from './feature.ts'
import { hide, show } from './hide-review.ts'
import { list } from './list.ts'
import { read } from './read.ts'
import { file } from './read-file.ts'
import { reject } from './reject.ts'
import { start } from './start.ts'

/** The operations of the review queue: `/api/operator/marketplace`. */
export const reviewQueueOperations: ServedOperation[] = [
  list,
  read,
  file,
  start,
  approve,
  reject,
  feature,
  unfeature,
  delist,
  hide,
  show,
]
