import type { Served } from '#platform/serve.ts'
import { applicationOperations } from './applications/operations.ts'
import { read as readCatalogue } from './catalogue/catalogue.ts'
import { grant } from './critical-scopes/grant.ts'
import { keyOperations } from './keys/keys.ts'
import { webhookRecordOperations } from './webhooks/operations.ts'

/** Every operation around external applications. */
export const integrationRoutes: Served[] = [
  ...applicationOperations,
  ...keyOperations,
  grant,
  readCatalogue,
  ...webhookRecordOperations,
]
