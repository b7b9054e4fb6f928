import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Day, Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toManage, toView } from './auth.ts'

/** OFF: no records. KEEP: issuing and voiding write records. SEND: they are also sent to the tax office (TAX-1). */
export const taxRecordModes = ['OFF', 'KEEP', 'SEND'] as const
export type TaxRecordMode = (typeof taxRecordModes)[number]
export const taxRegimes = ['01', '07', '20'] as const
/** The classifications of a line without value added tax: exempt, reverse charge, not subject (TAX-7). */
export const untaxedReasons = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'S2', 'N1', 'N2'] as const
export type UntaxedReason = (typeof untaxedReasons)[number]
export const taxRecordKinds = ['REGISTRATION', 'CANCELLATION'] as const
export const taxRecordStates = ['PENDING', 'ACCEPTED', 'ACCEPTED_WITH_ERRORS', 'REJECTED'] as const
export type TaxRecordState = (typeof taxRecordStates)[number]

const options = {
  mode: OneOf(taxRecordModes),
  regime: OneOf(taxRegimes, {
    description: 'ClaveRegimen of taxed lines: 01 general, 07 cash accounting, 20 simplified regime',
  }),
  untaxedDomestic: Nullable(
    OneOf(untaxedReasons, {
      description:
        'OperacionExenta or CalificacionOperacion of lines without value added tax for clients in Spain. Null: such ' +
        'invoices cannot be issued',
    }),
  ),
  untaxedForeign: Nullable(OneOf(untaxedReasons, { description: 'The same for clients in other countries' })),
}
/** How invoices are recorded for the tax office. */
export const TaxRecordOptions = Type.Object(options)
export type TaxRecordOptions = Static<typeof TaxRecordOptions>

const recordFields = {
  number: Type.Integer({ description: 'The position in the chain of the issuer, from 1' }),
  kind: OneOf(taxRecordKinds, { description: 'RegistroAlta or RegistroAnulacion' }),
  state: OneOf(taxRecordStates),
  invoiceId: Id,
  invoiceNumber: Type.String(),
  answeredAt: Nullable(Time),
  errorCode: Nullable(Type.String({ description: 'The code of the tax office' })),
  errorText: Nullable(Type.String({ description: 'The text of the tax office, in Spanish' })),
}
const TaxRecordProblem = Type.Object(recordFields)
/** A record of an invoice (TAX-2). */
export const TaxRecord = Type.Object({
  ...recordFields,
  invoiceType: Nullable(Type.String({ description: 'TipoFactura; null for a cancellation' })),
  generationTime: Type.String({ description: 'FechaHoraHusoGenRegistro, with the offset of its time zone' }),
  hash: Type.String({ description: 'SHA-256 in capital hexadecimal digits' }),
  previousHash: Nullable(Type.String({ description: 'Null for the first record of the chain' })),
  csv: Nullable(Type.String({ description: 'The secure verification code of the answer' })),
})
export type TaxRecord = Static<typeof TaxRecord>

/** The state of the records of an organization. */
export const TaxRecordStatus = Type.Object({
  ...options,
  canKeep: Type.Boolean({ description: 'The operator has named the producer of the software' }),
  canSend: Type.Boolean({ description: 'The operator has also set up the connection to the tax office' }),
  sendsTo: Nullable(Type.String({ description: 'The host that receives the records' })),
  recordCount: Type.Integer(),
  pendingCount: Type.Integer(),
  acceptedCount: Type.Integer(),
  acceptedWithErrorsCount: Type.Integer(),
  rejectedCount: Type.Integer(),
  lastAttemptAt: Nullable(Time),
  lastFailure: Nullable(Type.String({ description: 'Null: the last attempt got an answer' })),
  nextSendAt: Nullable(Time),
  problems: Type.Array(TaxRecordProblem, {
    description: `Records that were rejected or accepted with errors, the newest first; at most ${limits.taxRecordProblemsShown}`,
  }),
})
export type TaxRecordStatus = Static<typeof TaxRecordStatus>

export const readTaxRecordStatus = operation('GET /tax-records', {
  ...toView,
  summary: 'Get the settings and the state of tax records',
  description: 'The records of RD 1007/2023 (VERI*FACTU) and the answers of the tax office.',
  reply: TaxRecordStatus,
})
export const updateTaxRecordOptions = operation('PUT /tax-records', {
  ...toManage,
  summary: 'Turn tax records on or off',
  description:
    'Only a Spanish issuer with a valid NIF can turn them on. Once there is a record, OFF is stored as KEEP: it only ' +
    'stops sending. The producer of the software in later records is the one of the server at the time of this call.',
  body: options,
  reply: TaxRecordOptions,
  errors: ['SPANISH_ISSUER_REQUIRED', 'TAX_RECORDS_NOT_AVAILABLE'],
})

export const checkTaxRecords = operation('GET /tax-records/check', {
  ...toView,
  summary: 'Recompute the hash chains of all tax records',
  description: '`brokenAt` is the first record that does not match: it was altered, added, or is missing.',
  reply: Type.Object({
    holds: Type.Boolean(),
    checked: Type.Integer({ description: 'Records read' }),
    brokenAt: Nullable(Type.Object({ issuerNif: Type.String(), number: Type.Integer() })),
  }),
  limit: { bucket: 'check-tax-records', times: limits.taxRecordChecksPerHour, windowSeconds: 3600 },
})

export const exportTaxRecords = operation('GET /tax-records/export', {
  ...toView,
  summary: 'Export tax records as XML files in a ZIP',
  description:
    `The records that were generated on these days in Spain, in the format of the tax office, with at most ` +
    `${limits.taxRecordsPerDocument} records in a file. The audit log records the export.`,
  query: { from: Day, to: Day },
  responseType: 'application/zip',
  limit: { bucket: 'export-tax-records', times: limits.taxRecordExportsPerHour, windowSeconds: 3600 },
})

const id = { id: Id }
export const listTaxRecords = operation('GET /invoices/:id/tax-records', {
  ...toView,
  summary: 'List the tax records of an invoice, oldest first',
  params: id,
  reply: Type.Object({ items: Type.Array(TaxRecord) }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
export const openTaxRecords = operation('GET /invoices/:id/tax-records/xml', {
  ...toView,
  summary: 'Download the tax records of an invoice as XML',
  description: 'RegFactuSistemaFacturacion, the format of the tax office.',
  params: id,
  responseType: 'application/xml',
  errors: ['INVOICE_NOT_ACCESSIBLE', 'TAX_RECORD_NOT_FOUND'],
})
