import type { ServedOperation } from '#platform/http/operation.ts'
import { cancel, create, duplicate, list, read, update } from './budgets.ts'
import { figures } from './figures.ts'
import { pdf } from './pdf.ts'
import { makePdfAddress, openPdf } from './pdf-address.ts'

/** The operations on budgets. */
export const budgetOperations: ServedOperation[] = [
  create,
  figures,
  list,
  read,
  update,
  duplicate,
  cancel,
  pdf,
  makePdfAddress,
  openPdf,
]
