import type { ServedOperation } from '#platform/http/operation.ts'
import { address } from './address.ts'
import { list } from './list.ts'
import { open } from './open.ts'
import { remove } from './remove.ts'
import { upload } from './upload.ts'

/** The operations of attachments. */
export const fileOperations: ServedOperation[] = [upload, list, address, remove, open]
