import type { Operation } from '#contract/operation.ts'
import { billingRoutes } from './billing/index.ts'
import { chatRoutes } from './chat/index.ts'
import { crmRoutes } from './crm/index.ts'
import { errorReportRoutes } from './error-reports/index.ts'
import { identityEndpoints } from './identity/index.ts'
import { inbox } from './inbox.ts'
import { integrationRoutes } from './integrations/index.ts'
import { marketplaceRoutes } from './marketplace/index.ts'
import { overview } from './overview.ts'
import { peopleStream } from './people-stream.ts'
import type { ServedOperation } from './platform/http/operation.ts'
import { serverHealthOperations } from './server-health.ts'
import { studioRoutes } from './studio/index.ts'

/** Every operation of the areas, except identity's, which needs its keys first. */
export const operations: ServedOperation[] = [
  ...studioRoutes,
  ...marketplaceRoutes,
  ...integrationRoutes,
  ...errorReportRoutes,
  ...chatRoutes,
  ...crmRoutes,
  ...billingRoutes,
  overview,
  inbox,
  ...serverHealthOperations,
  peopleStream,
]

/** Every operation of the contract, for the generated documents. */
export const operationContracts: Operation[] = [
  ...identityEndpoints,
  ...operations.map(({ contract }) => contract),
]
