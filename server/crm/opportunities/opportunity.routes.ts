import type { ServedOperation } from '#platform/http/operation.ts'
import { create, list, read, update } from './opportunities.ts'

/** What may be sold to clients. */
export const opportunityOperations: ServedOperation[] = [create, list, read, update]
