import type { Served } from '#platform/serve.ts'
import { budgetOperations } from './budgets/operations.ts'
import { clientOperations } from './clients/operations.ts'
import { contactOperations } from './contacts/operations.ts'
import * as issuer from './issuer/issuer.ts'
import { leadOperations } from './leads/operations.ts'
import { opportunityOperations } from './opportunities/operations.ts'
import { portalOperations } from './portal/operations.ts'
import * as settings from './settings/settings.ts'
import { signatureOperations } from './signatures/operations.ts'
import { signingOperations } from './signing/operations.ts'

/** Every operation of customer relations, of applications and of people. */
export const crmRoutes: Served[] = [
  ...leadOperations,
  ...clientOperations,
  ...contactOperations,
  ...opportunityOperations,
  ...budgetOperations,
  ...signingOperations,
  ...signatureOperations,
  ...portalOperations,
  ...[settings.read, settings.update, issuer.read, issuer.update],
]
