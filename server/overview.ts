import { type Overview, readOverview } from '#contract/identity/overview.ts'
import { billingOverview } from './billing/index.ts'
import { chatOverview } from './chat/index.ts'
import { crmOverview } from './crm/index.ts'
import { errorOverview } from './error-reports/index.ts'
import { integrationOverview, operatorOverview } from './integrations/index.ts'
import { reviewOverview } from './marketplace/index.ts'
import { query } from './platform/http/operation.ts'

/** Each area counts its own rows in one or two statements, all at the same time (HOM-1). */
export const overview = query(readOverview, async ({ db, caller, services }): Promise<Overview> => {
  const [{ budgets, ...crm }, { uninvoicedBudgets, ...billing }, ...others] = await Promise.all([
    crmOverview(db, caller),
    billingOverview(db, caller),
    integrationOverview(db, caller),
    operatorOverview(services.database.crossTenant, caller),
    reviewOverview(services.database.crossTenant, caller),
    errorOverview(db, caller),
    chatOverview(db, caller),
  ])
  return Object.assign(
    {},
    crm,
    // billing may read budgets, and crm may not read invoices
    budgets && { budgets: { ...budgets, signed: uninvoicedBudgets ?? budgets.signed } },
    billing,
    ...others,
  )
})
