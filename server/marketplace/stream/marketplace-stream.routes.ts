import type { ServedOperation } from '#platform/http/operation.ts'
import { marketplaceStream } from './open.ts'

/** The operation of the marketplace stream. */
export const streamOperations: ServedOperation[] = [marketplaceStream]
