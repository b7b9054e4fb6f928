import { readOverview } from '#contract/identity/overview.ts'
import { billingOverview } from './billing/index.ts'
import { chatOverview } from './chat/index.ts'
import { crmOverview } from './crm/index.ts'
import { errorOverview } from './error-reports/index.ts'
import { integrationOverview } from './integrations/index.ts'
import { query } from './platform/http/operation.ts'

/** Each area counts its own rows in one statement, all at the same time (HOM-1). */
export const overview = query(readOverview, async ({ db, caller }) => {
  const parts = await Promise.all([
    crmOverview(db, caller),
    billingOverview(db, caller),
    integrationOverview(db, caller),
    errorOverview(db, caller),
    chatOverview(db, caller),
  ])
  return Object.assign({}, ...parts)
})
