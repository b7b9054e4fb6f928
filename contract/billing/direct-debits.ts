import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Cents, Day, Id, Name, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toEdit, toManage, toView } from './auth.ts'

const capability = { capability: 'finance.direct_debit' } as const
const view = { ...toView, ...capability } as const
const edit = { ...toEdit, ...capability } as const

/** CORE: for any debtor. B2B: for businesses whose bank has registered the mandate. */
export const directDebitSchemes = ['CORE', 'B2B'] as const
/** RCUR: any number of collections. OOFF: one. */
export const mandateKinds = ['RCUR', 'OOFF'] as const
/** USED: its one collection was made. LAPSED: not used for 36 months (SDD-4). */
export const mandateStatuses = ['ACTIVE', 'USED', 'LAPSED', 'CANCELLED'] as const
export const remittanceStates = ['PREPARED', 'SENT', 'CANCELLED'] as const
/** OPEN: the bank has not reported a result. */
export const directDebitStates = ['OPEN', 'COLLECTED', 'REJECTED', 'RETURNED', 'CANCELLED'] as const
export type DirectDebitState = (typeof directDebitStates)[number]
export const bankResults = ['COLLECTED', 'REJECTED', 'RETURNED'] as const
export type BankResult = (typeof bankResults)[number]

const Iban = Type.String({
  maxLength: limits.iban,
  pattern: '^[A-Z]{2}[0-9]{2}( ?[A-Z0-9])+$',
  description: 'With right check digits; spaces are removed',
})
const Bic = Type.String({
  maxLength: limits.bic,
  pattern: '^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$',
  description: 'Eight or eleven capital letters and figures',
})

const creditor = {
  name: Name(limits.sepaName),
  identifier: Type.String({
    maxLength: limits.creditorIdentifier,
    pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9]{3}[A-Z0-9]+$',
    description: 'The creditor identifier (EPC AT-02), with right check digits',
  }),
  iban: Iban,
  bic: Nullable(Bic),
}
/** The organization as a creditor of direct debits. */
export const Creditor = Type.Object(creditor)
export type Creditor = Static<typeof Creditor>

export const readCreditor = operation('GET /direct-debits/creditor', {
  ...view,
  summary: 'Get the creditor data of direct debits',
  reply: Type.Object({ creditor: Nullable(Creditor) }),
})
export const updateCreditor = operation('PUT /direct-debits/creditor', {
  ...toManage,
  ...capability,
  summary: 'Set the creditor data of direct debits',
  description: 'Remittances that exist keep theirs.',
  body: creditor,
  reply: Creditor,
})

/** The permission of a debtor to collect from an account. */
export const Mandate = Type.Object({
  id: Id,
  reference: Type.String(),
  clientId: Id,
  clientName: Type.String(),
  debtorName: Type.String({ description: 'Empty, like the account, if the person was erased' }),
  maskedIban: Type.String({ description: 'The country and the last four characters' }),
  bic: Nullable(Type.String()),
  scheme: OneOf(directDebitSchemes),
  kind: OneOf(mandateKinds),
  signedOn: Type.String(),
  status: OneOf(mandateStatuses),
  createdAt: Time,
  cancelledAt: Nullable(Time),
  erasedAt: Nullable(Time),
})
export type Mandate = Static<typeof Mandate>

export const listMandates = operation('GET /direct-debits/mandates', {
  ...view,
  summary: 'List mandates, the newest first',
  query: { ...pageQuery, clientId: Type.Optional(Id) },
  reply: Page(Mandate),
})
export const createMandate = operation('POST /direct-debits/mandates', {
  ...edit,
  summary: 'Register a signed mandate',
  description: 'The account is stored encrypted and only shown masked. A mandate cannot be changed.',
  body: {
    clientId: Id,
    reference: Type.String({
      minLength: 1,
      maxLength: limits.mandateReference,
      // the characters that every bank accepts, without a slash at either end
      pattern: "^(?![/ ])(?!.*//)[A-Za-z0-9+?/:().,' -]*[A-Za-z0-9+?:().,'-]$",
      description: 'Unique in the organization, without regard to case',
    }),
    debtorName: Name(limits.sepaName),
    iban: Iban,
    bic: Type.Optional(Nullable(Bic)),
    scheme: OneOf(directDebitSchemes),
    kind: OneOf(mandateKinds),
    signedOn: Day,
  },
  reply: Mandate,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION', 'MANDATE_REFERENCE_TAKEN'],
  isIdempotent: true,
})
const id = { id: Id }
export const cancelMandate = operation('POST /direct-debits/mandates/:id/cancel', {
  ...edit,
  summary: 'Cancel a mandate',
  description:
    'Refused while a remittance that was not sent uses it. A cancelled mandate is returned unchanged.',
  params: id,
  reply: Mandate,
  errors: ['MANDATE_NOT_FOUND', 'MANDATE_IN_USE'],
})

/** An invoice that can be collected, with its mandate. */
export const CollectableInvoice = Type.Object({
  invoiceId: Id,
  invoiceNumber: Type.String(),
  clientId: Id,
  clientName: Type.String(),
  dueDate: Type.String(),
  dueCents: Cents,
  mandateId: Id,
  mandateReference: Type.String(),
  scheme: OneOf(directDebitSchemes),
})
export type CollectableInvoice = Static<typeof CollectableInvoice>

export const listCollectableInvoices = operation('GET /direct-debits/invoices', {
  ...view,
  summary: 'List invoices that can be collected by direct debit, the longest due first',
  description:
    'Issued invoices in euros with an amount due, whose client has an active mandate and of which no payment is in ' +
    `progress; at most ${limits.remittanceInvoices}.`,
  reply: Type.Object({ items: Type.Array(CollectableInvoice) }),
})

/** One file of direct debits for the bank. */
export const Remittance = Type.Object({
  id: Id,
  state: OneOf(remittanceStates),
  collectionDate: Type.String(),
  isBankDay: Type.Boolean({
    description:
      'False: TARGET is closed on the collection date, and banks collect on the next day that it is open',
  }),
  count: Type.Integer(),
  totalCents: Cents,
  openCount: Type.Integer({ description: 'Direct debits without a result' }),
  collectedCents: Cents,
  createdAt: Time,
  sentAt: Nullable(Time),
  cancelledAt: Nullable(Time),
})
export type Remittance = Static<typeof Remittance>
/** A direct debit of a remittance. */
export const DirectDebit = Type.Object({
  id: Type.String({ description: 'The end-to-end id in the files of the bank, and the id of the charge' }),
  state: OneOf(directDebitStates),
  invoiceId: Id,
  invoiceNumber: Type.String(),
  clientId: Id,
  clientName: Type.String(),
  mandateReference: Type.String(),
  amountCents: Cents,
  reasonCode: Nullable(Type.String({ description: 'An ISO 20022 reason code, such as AM04' })),
})
export type DirectDebit = Static<typeof DirectDebit>
export const RemittanceDetail = Type.Object({
  ...Remittance.properties,
  directDebits: Type.Array(DirectDebit),
})
export type RemittanceDetail = Static<typeof RemittanceDetail>

export const listRemittances = operation('GET /direct-debits/remittances', {
  ...view,
  summary: 'List remittances, the newest first',
  query: pageQuery,
  reply: Page(Remittance),
})
export const readRemittance = operation('GET /direct-debits/remittances/:id', {
  ...view,
  summary: 'Get a remittance with its direct debits',
  params: id,
  reply: RemittanceDetail,
  errors: ['REMITTANCE_NOT_FOUND'],
})
export const createRemittance = operation('POST /direct-debits/remittances', {
  ...edit,
  summary: 'Prepare a remittance of direct debits',
  description:
    'Each invoice is collected with the newest active mandate of its client, for the amount due. Until the bank ' +
    'reports a result, these invoices cannot be paid in another way. Nothing is sent: download the file, give it to the ' +
    'bank, and mark the remittance as sent.',
  body: {
    collectionDate: {
      ...Day,
      description: `After today and within ${limits.remittanceDaysAhead} days`,
    } as typeof Day,
    invoiceIds: Type.Array(Id, { minItems: 1, maxItems: limits.remittanceInvoices, uniqueItems: true }),
  },
  reply: RemittanceDetail,
  status: 201,
  errors: [
    'INVOICE_NOT_ACCESSIBLE',
    'INVOICE_STATE_INVALID',
    'INVOICE_ALREADY_PAID',
    'INVOICE_RECTIFIED',
    'CHARGE_IN_PROGRESS',
    'BILLING_CURRENCY_NOT_SUPPORTED',
    'MANDATE_REQUIRED',
    'CREDITOR_REQUIRED',
  ],
  isIdempotent: true,
})
export const openRemittance = operation('GET /direct-debits/remittances/:id/file', {
  ...edit,
  summary: 'Download a remittance as pain.008.001.08',
  description:
    'The same bytes each time. It contains whole account numbers; the audit log records the download.',
  params: id,
  responseType: 'application/xml',
  errors: ['REMITTANCE_NOT_FOUND', 'REMITTANCE_STATE_INVALID'],
})
export const sendRemittance = operation('POST /direct-debits/remittances/:id/send', {
  ...edit,
  summary: 'Mark a remittance as sent to the bank',
  description: 'A remittance that was sent is returned unchanged.',
  params: id,
  reply: RemittanceDetail,
  errors: ['REMITTANCE_NOT_FOUND', 'REMITTANCE_STATE_INVALID'],
})
export const cancelRemittance = operation('POST /direct-debits/remittances/:id/cancel', {
  ...edit,
  summary: 'Cancel a remittance that was not sent',
  description: 'Its invoices can be paid in another way again. A cancelled remittance is returned unchanged.',
  params: id,
  reply: RemittanceDetail,
  errors: ['REMITTANCE_NOT_FOUND', 'REMITTANCE_STATE_INVALID'],
})

/**
 * The effect of an entry of a file of the bank. UNCHANGED: known already. UNKNOWN: no direct debit of this
 * organization. AMOUNT_DIFFERS: nothing is recorded. PENDING: the bank has not booked it.
 */
export const entryEffects = [...bankResults, 'UNCHANGED', 'UNKNOWN', 'AMOUNT_DIFFERS', 'PENDING'] as const
export type EntryEffect = (typeof entryEffects)[number]
const BankFileEntry = Type.Object({
  reference: Type.String({ description: 'The end-to-end id, or the reference of the bank' }),
  effect: OneOf(entryEffects),
  reasonCode: Nullable(Type.String()),
  amountCents: Nullable(Cents),
  invoiceId: Nullable(Id),
  invoiceNumber: Nullable(Type.String()),
})
export const BankFileReport = Type.Object({
  format: OneOf(['pain.002', 'camt.054']),
  entries: Type.Array(BankFileEntry),
})
export type BankFileReport = Static<typeof BankFileReport>

const bankFile = {
  body: { document: Text(limits.bankFileCharacters, 1) },
  reply: BankFileReport,
  errors: ['BANK_FILE_NOT_READABLE'],
} as const
export const previewBankFile = operation('POST /direct-debits/results/preview', {
  ...edit,
  ...bankFile,
  summary: 'Show what importing a file of the bank would record',
  description: `A pain.002 or camt.054 of at most ${limits.bankFileEntries} entries. Records nothing.`,
})
export const importBankFile = operation('POST /direct-debits/results', {
  ...edit,
  ...bankFile,
  summary: 'Import the results of direct debits from a file of the bank',
  description:
    'Each entry is recorded in a transaction of its own; importing the same file again changes nothing. A direct debit ' +
    'that is returned after it was collected reverses its payment.',
})
export const recordDirectDebitResult = operation('POST /direct-debits/:id/result', {
  ...edit,
  summary: 'Record the result of a direct debit by hand',
  description: 'For a bank that provides no file. A result that is known already changes nothing.',
  params: id,
  body: {
    result: OneOf(bankResults),
    reasonCode: Type.Optional(
      Nullable(
        Type.String({
          maxLength: limits.reasonCode,
          pattern: '^[A-Z0-9]+$',
          description: 'An ISO 20022 code',
        }),
      ),
    ),
  },
  reply: DirectDebit,
  errors: ['DIRECT_DEBIT_NOT_FOUND', 'REMITTANCE_STATE_INVALID'],
})
