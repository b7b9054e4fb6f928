import type { ServedOperation } from '#platform/http/operation.ts'
import { create } from './drafts/create.ts'
import { createOfUser } from './drafts/create-of-user.ts'
import { remove, update } from './drafts/update.ts'
import { readFile } from './e-invoices/read-e-invoice.ts'
import { figures } from './figures.ts'
import { issue } from './issuing/issue.ts'
import { voided } from './issuing/void.ts'
import { exportCsv } from './listing/export.ts'
import { list } from './listing/list.ts'
import { makePdfAddress, openPdf } from './pdf-address.ts'
import { read } from './read.ts'
import { pdf } from './read-pdf.ts'
import { rectify } from './rectifying/rectify.ts'

export const invoiceOperations: ServedOperation[] = [
  createOfUser,
  list,
  read,
  pdf,
  readFile,
  issue,
  voided,
  create,
  figures,
  exportCsv,
  makePdfAddress,
  openPdf,
  update,
  remove,
  rectify,
]
