import type { ServedOperation } from '#platform/http/operation.ts'
import { create } from './drafts/create.ts'
import { createOfUser } from './drafts/create-of-user.ts'
import { remove, update } from './drafts/update.ts'
import { issue } from './issuing/issue.ts'
import { voided } from './issuing/void.ts'
import { list } from './listing/list.ts'
import { read } from './read.ts'
import { pdf } from './read-pdf.ts'
import { rectify } from './rectifying/rectify.ts'

export const invoiceOperations: ServedOperation[] = [
  createOfUser,
  list,
  read,
  pdf,
  issue,
  voided,
  create,
  update,
  remove,
  rectify,
]
