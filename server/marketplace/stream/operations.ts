import type { Served } from '#platform/serve.ts'
import { marketplaceStream } from './open.ts'

/** Document 1, GET /marketplace/events. */
export const streamOperations: Served[] = [marketplaceStream]
