import type { Readable } from 'node:stream'
import { exportTaxRecords, openTaxRecords } from '#contract/billing/tax-records.ts'
import { pathAt } from '#contract/operation.ts'
import type { Db } from '#platform/data/db.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import { stream } from '#platform/http/operation.ts'
import { sendBytes } from '#platform/http/send-bytes.ts'
import { firstOf, lastOf } from '#platform/required.ts'
import { invoiceFor } from '../invoices/invoice.access.ts'
import { recordsFile } from './record-xml.ts'
import type { TaxRecordRow } from './tax-record.row.ts'
import { recordsBetween, taxRecordsOf } from './tax-record.sql.ts'

const operation = `GET ${pathAt('session', exportTaxRecords)}`

/** The records of an invoice as one file. */
export const open = stream(openTaxRecords, async ({ db, caller, params, reply }) => {
  const invoice = await invoiceFor(db, caller, params.id)
  const records = await taxRecordsOf(db, invoice.id)
  if (records.length === 0) fail('TAX_RECORD_NOT_FOUND')
  return reply
    .type('application/xml')
    .headers({
      'Content-Disposition': `attachment; filename="${invoice.number}.xml"`,
      'Cache-Control': 'private, no-store',
    })
    .send(Buffer.from(fileOf(records)))
})

/** Streams a ZIP. The audit log records the caller and the days before the first byte is sent. */
export const exportZip = stream(
  exportTaxRecords,
  async ({ db, caller, origin, services, query: days, reply }) => {
    const { organizationId } = caller
    await services.database.transact(
      organizationId,
      async () => {},
      tx => recordOutbox(tx, caller, origin, operation, { subject: organizationId, detail: days }),
    )
    services.wakeUp?.changed()
    reply.type('application/zip').headers({
      'Content-Disposition': `attachment; filename="verifactu-${days.from}-${days.to}.zip"`,
      'Cache-Control': 'private, no-store',
    })
    return sendBytes(reply, await zipOf(filesOf(db, days)))
  },
)

type XmlFile = { name: string; content: string }

/** The files of the export, one for each chain and thousand records. */
async function* filesOf(db: Db, days: { from: string; to: string }): AsyncGenerator<XmlFile> {
  let after = { issuer_nif: '', number: 0 }
  for (;;) {
    const records = await recordsBetween(db, days, after)
    const last = records.at(-1)
    if (!last) return
    for (const chain of Map.groupBy(records, ({ issuer_nif }) => issuer_nif).values()) {
      const first = firstOf(chain)
      yield {
        name: `${first.issuer_nif}-${String(first.number).padStart(9, '0')}.xml`,
        content: fileOf(chain),
      }
    }
    after = last
  }
}

function fileOf(records: readonly TaxRecordRow[]): string {
  const last = lastOf(records)
  return recordsFile({ issuerName: last.content.issuerName, issuerNif: last.issuer_nif }, records)
}

async function zipOf(files: AsyncIterable<XmlFile>): Promise<Readable> {
  // loaded on first use
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.once('error', (error: Error) => output.destroy(error))
  const write = async () => {
    for await (const { name, content } of files) {
      if (output.destroyed) return
      zip.addBuffer(Buffer.from(content), name)
    }
    zip.end()
  }
  write().catch((error: Error) => output.destroy(error))
  return output
}
