import type { Served } from '#platform/serve.ts'
import { clientOperations } from './clients/operations.ts'
import { contactOperations } from './contacts/operations.ts'
import { leadOperations } from './leads/operations.ts'
import { opportunityOperations } from './opportunities/operations.ts'
import * as settings from './settings/settings.ts'

/** Every operation of customer relations: Document 3's on leads, and those of people. */
export const crmRoutes: Served[] = [
  ...leadOperations,
  ...clientOperations,
  ...contactOperations,
  ...opportunityOperations,
  ...[settings.read, settings.update],
]
