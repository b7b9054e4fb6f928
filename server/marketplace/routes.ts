import type { ServedOperation } from '#platform/http/operation.ts'
import { entryOperations } from './entries/entry.routes.ts'
import { installOperations } from './installs/install.routes.ts'
import { reportOperations } from './reports/report.routes.ts'
import { reviewQueueOperations } from './review-queue/submission.routes.ts'
import { reviewOperations } from './reviews/review.routes.ts'
import { streamOperations } from './stream/marketplace-stream.routes.ts'

/** All operations of the marketplace. */
export const marketplaceRoutes: ServedOperation[] = [
  ...entryOperations,
  ...reportOperations,
  ...installOperations,
  ...reviewOperations,
  ...streamOperations,
  ...reviewQueueOperations,
]
