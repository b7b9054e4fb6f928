import type { ServedOperation } from '#platform/http/operation.ts'
import { create, list, read, update } from './opportunities.ts'

/** The operations on opportunities. */
export const opportunityOperations: ServedOperation[] = [create, list, read, update]
