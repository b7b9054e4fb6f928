import type { Served } from '#platform/serve.ts'
import { authorizationOperations } from './authorizations/operations.ts'
import { chargeOperations } from './charges/operations.ts'
import { externalUserOperations } from './external-users/operations.ts'
import { gatewayOperations } from './gateway/operations.ts'
import { invoiceOperations } from './invoices/operations.ts'
import { linkOperations } from './links/links.ts'
import { markPaid, register } from './payments/mark-paid.ts'
import { reverse } from './payments/reverse.ts'
import { portalOperations } from './portal/portal.ts'
import * as reconciliation from './reconciliation/operations.ts'
import { refundOperations } from './refunds/operations.ts'
import { sendingOperations } from './sending/operations.ts'
import * as settings from './settings/settings.ts'

/** Every operation on invoices and money, of applications and of people. */
export const billingRoutes: Served[] = [
  ...invoiceOperations,
  markPaid,
  register,
  reverse,
  ...sendingOperations,
  ...linkOperations,
  ...chargeOperations,
  ...refundOperations,
  reconciliation.read,
  reconciliation.settle,
  reconciliation.countForOperator,
  ...authorizationOperations,
  ...gatewayOperations,
  ...externalUserOperations,
  ...portalOperations,
  settings.read,
  settings.update,
]
