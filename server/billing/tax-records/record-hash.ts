import { createHash } from 'node:crypto'
import { decimalText } from '#platform/decimal.ts'
import type { Registration } from './record-content.ts'
import type { TaxRecordRow } from './tax-record.row.ts'

type Hashed = Pick<
  TaxRecordRow,
  'kind' | 'issuer_nif' | 'invoice_number' | 'issue_date' | 'content' | 'previous_hash' | 'generation_time'
>

/** An amount of the tax office: euros with two decimals. */
export const amountText = (cents: number): string => decimalText(cents, 2)
/** 2026-01-31 is 31-01-2026. */
export const dayText = (day: string): string => day.split('-').reverse().join('-')

/**
 * The Huella of a record: SHA-256 in capital hexadecimal digits over its main fields and the hash of the previous record,
 * as in version 0.1.2 of the tax office's specification. Pinned by its test vectors.
 */
export function recordHash(record: Hashed): string {
  return createHash('sha256')
    .update(
      hashedFields(record)
        .map(([name, value]) => `${name}=${value.trim()}`)
        .join('&'),
    )
    .digest('hex')
    .toUpperCase()
}

function hashedFields({ kind, content, ...record }: Hashed): [name: string, value: string][] {
  const suffix = kind === 'CANCELLATION' ? 'Anulada' : ''
  const { type, taxCents, totalCents } = content as Registration
  return [
    [`IDEmisorFactura${suffix}`, record.issuer_nif],
    [`NumSerieFactura${suffix}`, record.invoice_number],
    [`FechaExpedicionFactura${suffix}`, dayText(record.issue_date)],
    ...(kind === 'REGISTRATION'
      ? ([
          ['TipoFactura', type],
          ['CuotaTotal', amountText(taxCents)],
          ['ImporteTotal', amountText(totalCents)],
        ] as [string, string][])
      : []),
    ['Huella', record.previous_hash ?? ''],
    ['FechaHoraHusoGenRegistro', record.generation_time],
  ]
}
