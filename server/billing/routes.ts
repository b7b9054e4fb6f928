import type { ServedOperation } from '#platform/http/operation.ts'
import { authorizationOperations } from './authorizations/authorization.routes.ts'
import { budgetOperations } from './budgets/budget.routes.ts'
import { chargeOperations } from './charges/charge.routes.ts'
import { directDebitOperations } from './direct-debits/direct-debit.routes.ts'
import { externalUserOperations } from './external-users/external-user.routes.ts'
import { gatewayOperations } from './gateway/gateway.routes.ts'
import { invoiceOperations } from './invoices/invoice.routes.ts'
import { linkOperations } from './links/links.ts'
import * as movements from './movements/list.ts'
import { markPaid, register } from './payments/mark-paid.ts'
import { reverse } from './payments/reverse.ts'
import { portalOperations } from './portal/portal.ts'
import * as reconciliation from './reconciliation/reconciliation.routes.ts'
import { refundOperations } from './refunds/refund.routes.ts'
import { reminderOperations } from './reminders/reminders.ts'
import { sendingOperations } from './sending/sending.routes.ts'
import * as settings from './settings/settings.ts'
import * as summary from './summary/read.ts'
import { taxRecordOperations } from './tax-records/tax-record.routes.ts'

/** Every operation on invoices and payments. */
export const billingRoutes: ServedOperation[] = [
  ...invoiceOperations,
  ...budgetOperations,
  markPaid,
  register,
  reverse,
  movements.payments,
  movements.charges,
  movements.refunds,
  summary.read,
  ...sendingOperations,
  ...reminderOperations,
  ...linkOperations,
  ...chargeOperations,
  ...directDebitOperations,
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
  ...taxRecordOperations,
]
