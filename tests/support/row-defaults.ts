import { newId } from '#platform/ids.ts'
import { billingRows } from './billing/row-defaults.ts'
import { chatRows } from './chat/row-defaults.ts'
import { crmRows } from './crm/row-defaults.ts'
import { errorReportRows } from './error-reports/row-defaults.ts'
import { identityRows } from './identity/row-defaults.ts'
import { integrationRows } from './integrations/row-defaults.ts'
import { marketplaceRows } from './marketplace/row-defaults.ts'
import { studioRows } from './studio/row-defaults.ts'
import type { RowDefaults } from './table.ts'

const platformRows: RowDefaults = {
  access_change: () => ({ id: newId() }),
  audit: () => ({
    id: newId(),
    auth: 'session',
    ip: '',
    client: '',
    request_id: '',
    operation: 'POST /x',
    changed: [],
    at: new Date(),
    hash: '',
  }),
  event: () => ({ id: newId(), at: new Date() }),
  outbox: () => ({ id: newId() }),
}

/** The values that `insertRows` gives to columns which a row does not name, for each table that needs any. */
export const rowDefaults: RowDefaults = {
  ...identityRows,
  ...studioRows,
  ...marketplaceRows,
  ...integrationRows,
  ...chatRows,
  ...errorReportRows,
  ...crmRows,
  ...billingRows,
  ...platformRows,
}
