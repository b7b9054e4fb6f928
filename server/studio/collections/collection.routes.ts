import type { ServedOperation } from '#platform/http/operation.ts'
import { add, removeAsset } from './collection-assets.ts'
import { create } from './create.ts'
import { list, listAssets } from './list.ts'
import { read } from './read.ts'
import { remove } from './remove.ts'
import { update } from './update.ts'

/** Every operation on collections. */
export const collectionOperations: ServedOperation[] = [
  list,
  create,
  read,
  update,
  remove,
  add,
  removeAsset,
  listAssets,
]
