import type { ServedOperation } from '#platform/http/operation.ts'
import { createInvoice } from './create-invoice.ts'
import { linkInvoice, unlinkInvoice } from './link-invoice.ts'
import { listUninvoiced } from './list-uninvoiced.ts'

export const budgetOperations: ServedOperation[] = [listUninvoiced, createInvoice, linkInvoice, unlinkInvoice]
