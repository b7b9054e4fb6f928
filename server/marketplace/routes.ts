import type { Served } from '#platform/serve.ts'
import { deskOperations } from './desk/operations.ts'
import { entryOperations } from './entries/operations.ts'
import { installOperations } from './installs/operations.ts'
import { reportOperations } from './reports/operations.ts'
import { reviewOperations } from './reviews/operations.ts'
import { streamOperations } from './stream/operations.ts'

/** Every operation of the marketplace. */
export const marketplaceRoutes: Served[] = [
  ...entryOperations,
  ...reportOperations,
  ...installOperations,
  ...reviewOperations,
  ...streamOperations,
  ...deskOperations,
]
