import type { ServedOperation } from '#platform/http/operation.ts'
import { applicationOperations } from './applications/application.routes.ts'
import { criticalScopeOperations } from './critical-scopes/critical-scope.routes.ts'
import { read as readCatalogue } from './event-catalogue.ts'
import { keyOperations } from './keys/keys.ts'
import { webhookRecordOperations } from './webhooks/webhook.routes.ts'

/** All operations of external applications. */
export const integrationRoutes: ServedOperation[] = [
  ...applicationOperations,
  ...keyOperations,
  ...criticalScopeOperations,
  readCatalogue,
  ...webhookRecordOperations,
]
