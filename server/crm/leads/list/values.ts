import { readLeadValues } from '#contract/crm/lead-values.ts'
import { query } from '#platform/http/operation.ts'
import { leadValues } from './lead-values.sql.ts'

/** Lists the values that filters of leads offer (LEAD-47). */
export const values = query(readLeadValues, ({ db }) => leadValues(db))
