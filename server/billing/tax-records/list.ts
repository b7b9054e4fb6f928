import { listTaxRecords } from '#contract/billing/tax-records.ts'
import { query } from '#platform/http/operation.ts'
import { invoiceFor } from '../invoices/invoice.access.ts'
import { showTaxRecord } from './tax-record.json.ts'
import { taxRecordsOf } from './tax-record.sql.ts'

export const list = query(listTaxRecords, async ({ db, caller, params }) => {
  const { id } = await invoiceFor(db, caller, params.id)
  return { items: (await taxRecordsOf(db, id)).map(showTaxRecord) }
})
