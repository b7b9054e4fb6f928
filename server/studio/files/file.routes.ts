import type { ServedOperation } from '#platform/http/operation.ts'
import { download } from './download.ts'
import { downloadAddress } from './download-address.ts'
import { list } from './list.ts'
import { remove } from './remove.ts'
import { upload } from './upload.ts'

/** The operations of attachments. */
export const fileOperations: ServedOperation[] = [upload, list, downloadAddress, remove, download]
