import { Readable } from 'node:stream'
import { exportInvoices } from '#contract/billing/invoices.ts'
import { pathAt } from '#contract/operation.ts'
import { byteOrderMark, csvLine } from '#platform/csv.ts'
import { exponentOf } from '#platform/currency.ts'
import { decimalText } from '#platform/decimal.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { stream } from '#platform/http/operation.ts'
import { sendBytes } from '#platform/http/send-bytes.ts'
import { showSummary } from '../invoice.json.ts'
import type { InvoiceRow } from '../invoice.row.ts'
import { invoicesInBatches } from './invoice-filters.sql.ts'
import { filtersOf } from './invoice-list.rules.ts'

const operation = `GET ${pathAt('session', exportInvoices)}`

/**
 * Streams invoices in the order of their ids, with backpressure. The audit log records the caller and the filters
 * before the first invoice is sent (INV-37).
 */
export const exportCsv = stream(exportInvoices, async ({ db, caller, origin, services, query, reply }) => {
  const { organizationId } = caller
  const { byteOrderMark: hasMark = true, search, ...others } = query
  // the log never loses an entry, and a search may be a name
  const detail = { ...others, ...(search !== undefined && { search: true }) }
  const filters = { ...filtersOf(caller, query), ids: null }
  await services.database.transact(
    organizationId,
    async () => {},
    tx => recordOutbox(tx, caller, origin, operation, { subject: organizationId, detail }),
  )
  services.wakeUp?.changed()
  reply.type('text/csv; charset=utf-8').headers({
    'Content-Disposition': 'attachment; filename="invoices.csv"',
    'Cache-Control': 'private, no-store',
  })
  return sendBytes(reply, Readable.from(linesOf(invoicesInBatches(db, filters), hasMark)))
})

async function* linesOf(
  batches: AsyncIterable<InvoiceRow[]>,
  hasMark: boolean,
): AsyncGenerator<Buffer, void> {
  yield Buffer.from(`${hasMark ? byteOrderMark : ''}${header}`)
  for await (const batch of batches) if (batch.length > 0) yield Buffer.from(batch.map(lineOf).join(''))
}

/** The columns, in their order; a column in whole units of the currency has the name of its field without `Cents`. */
const textColumns = [
  'id',
  'number',
  'status',
  'issueDate',
  'dueDate',
  'clientId',
  'clientName',
  'userId',
  'currency',
] as const
const amountColumns = ['subtotal', 'tax', 'total', 'paid', 'due', 'refunded', 'rectified'] as const
const header = csvLine([...textColumns, ...amountColumns])

function lineOf(invoice: InvoiceRow): string {
  const summary = showSummary(invoice)
  const places = exponentOf(invoice.currency)
  return csvLine([
    ...textColumns.map(name => summary[name]),
    ...amountColumns.map(name => ({ decimal: decimalText(summary[`${name}Cents`], places) })),
  ])
}
