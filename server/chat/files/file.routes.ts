import type { ServedOperation } from '#platform/http/operation.ts'
import { address, open } from './open.ts'
import { remove } from './remove.ts'
import { upload } from './upload.ts'

/** Operations on the files of messages. */
export const fileOperations: ServedOperation[] = [upload, address, remove, open]
