import { type TaxRecordOptions, updateTaxRecordOptions } from '#contract/billing/tax-records.ts'
import type { Client } from '#sdk/client.ts'
import type { TestServer } from '../test-server.ts'

/** Options of an organization whose records are not sent. */
export const taxRecordOptions: TaxRecordOptions = {
  mode: 'KEEP',
  regime: '01',
  untaxedDomestic: null,
  untaxedForeign: null,
}

/** Turns tax records on through the API. */
export function turnOn(by: Client, given: Partial<TaxRecordOptions> = {}): Promise<TaxRecordOptions> {
  return by.call(updateTaxRecordOptions, { body: { ...taxRecordOptions, ...given } })
}

const hash = 'A'.repeat(64)

/** Inserts a record of an invoice at the end of a chain of its own, without calling the API. */
export async function plantTaxRecord(
  server: Pick<TestServer, 'sql'>,
  organizationId: string,
  invoiceId: string,
): Promise<void> {
  const content = {
    system: { producerName: 'Patio SL', producerNif: 'B76543214', version: '1', installation: 'test' },
    issuerName: 'Talleres Patio SL',
    type: 'F1',
    rectifies: null,
    description: 'Work',
    recipient: { name: 'Client', nif: 'B12345674' },
    lines: [
      {
        tax: '01',
        regime: '01',
        operation: 'S1',
        baseCents: 10_000,
        rate: '21',
        taxCents: 2_100,
        surchargeRate: null,
        surchargeCents: null,
      },
    ],
    taxCents: 2_100,
    totalCents: 12_100,
  }
  await server.sql(
    `with head as (
       insert into tax_record_chain as c (organization_id, issuer_nif, last_number, last_hash)
       values ($1, 'B76543214', 1, $4)
       on conflict (organization_id, issuer_nif) do update set last_number = c.last_number + 1
       returning last_number)
     insert into tax_record (organization_id, issuer_nif, number, invoice_id, kind, invoice_number, issue_date, content,
       generation_time, hash, created_at)
     select $1, 'B76543214', last_number, $2, 'REGISTRATION', 'F1', '2026-01-31', $3, '2026-01-31T10:00:00+01:00', $4, now()
     from head`,
    [organizationId, invoiceId, JSON.stringify(content), hash],
  )
}
