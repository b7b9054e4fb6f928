import type { ServedOperation } from '#platform/http/operation.ts'
import { cancel, create, duplicate, list, read, update } from './budgets.ts'
import { pdf } from './pdf.ts'

/** What is offered to clients, and what they sign. */
export const budgetOperations: ServedOperation[] = [create, list, read, update, duplicate, cancel, pdf]
