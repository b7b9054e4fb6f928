import type { Creditor } from '#contract/billing/direct-debits.ts'
import { decimalText } from '#platform/decimal.ts'
import { firstOf } from '#platform/required.ts'
import { element, type XmlElement, xmlDocument } from '#platform/xml.ts'
import type { DirectDebitRow } from '../direct-debit.sql.ts'

/** A direct debit with the account of its debtor. */
export type Collection = Pick<
  DirectDebitRow,
  'id' | 'amount_cents' | 'invoice_number' | 'mandate_reference' | 'scheme' | 'kind'
> & { debtor_name: string; iban: string; bic: string | null; signed_on: string }

type RemittanceFile = { id: string; created_at: string; collection_date: string; creditor: Creditor }

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.008.001.08'

/** The id of the direct debits of a remittance that have the same scheme and kind. */
export function paymentGroupId(
  remittanceId: string,
  { scheme, kind }: Pick<Collection, 'scheme' | 'kind'>,
): string {
  return `${remittanceId}-${scheme}-${kind}`
}

/** A remittance as pain.008.001.08 (SDD-7). The same data results in the same bytes. */
export function pain008(remittance: RemittanceFile, collections: readonly Collection[]): string {
  const { id, created_at, creditor } = remittance
  const groups = Map.groupBy(collections, collection => paymentGroupId(id, collection))
  const header = element('GrpHdr', [
    element('MsgId', id),
    element('CreDtTm', created_at.slice(0, 19)),
    ...sums(collections),
    element('InitgPty', [
      element('Nm', bankText(creditor.name)),
      element('Id', [element('OrgId', [element('Othr', [element('Id', creditor.identifier)])])]),
    ]),
  ])
  const initiation = element('CstmrDrctDbtInitn', [
    header,
    ...[...groups]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, group]) => paymentInformation(remittance, id, group)),
  ])
  return xmlDocument(element('Document', [initiation], { xmlns: namespace }))
}

function paymentInformation(
  { collection_date, creditor }: RemittanceFile,
  group: string,
  collections: readonly Collection[],
): XmlElement {
  const { scheme, kind } = firstOf(collections)
  return element('PmtInf', [
    element('PmtInfId', group),
    element('PmtMtd', 'DD'),
    ...sums(collections),
    element('PmtTpInf', [
      element('SvcLvl', [element('Cd', 'SEPA')]),
      element('LclInstrm', [element('Cd', scheme)]),
      element('SeqTp', kind),
    ]),
    element('ReqdColltnDt', collection_date),
    element('Cdtr', [element('Nm', bankText(creditor.name))]),
    account('CdtrAcct', creditor.iban),
    agent('CdtrAgt', creditor.bic),
    element('ChrgBr', 'SLEV'),
    element('CdtrSchmeId', [
      element('Id', [
        element('PrvtId', [
          element('Othr', [
            element('Id', creditor.identifier),
            element('SchmeNm', [element('Prtry', 'SEPA')]),
          ]),
        ]),
      ]),
    ]),
    ...collections.map(transaction),
  ])
}

function transaction(collection: Collection): XmlElement {
  return element('DrctDbtTxInf', [
    element('PmtId', [element('EndToEndId', collection.id)]),
    element('InstdAmt', decimal(collection.amount_cents), { Ccy: 'EUR' }),
    element('DrctDbtTx', [
      element('MndtRltdInf', [
        element('MndtId', collection.mandate_reference),
        element('DtOfSgntr', collection.signed_on),
      ]),
    ]),
    agent('DbtrAgt', collection.bic),
    element('Dbtr', [element('Nm', bankText(collection.debtor_name))]),
    account('DbtrAcct', collection.iban),
    element('RmtInf', [element('Ustrd', bankText(collection.invoice_number))]),
  ])
}

function sums(collections: readonly Collection[]): XmlElement[] {
  const cents = collections.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  return [element('NbOfTxs', String(collections.length)), element('CtrlSum', decimal(cents))]
}

function account(name: string, iban: string): XmlElement {
  return element(name, [element('Id', [element('IBAN', iban)])])
}

/** The bank of an account; its BIC is optional in SEPA. */
function agent(name: string, bic: string | null): XmlElement {
  const id = bic === null ? element('Othr', [element('Id', 'NOTPROVIDED')]) : element('BICFI', bic)
  return element(name, [element('FinInstnId', [id])])
}

/** Direct debits are in euros. */
function decimal(cents: number): string {
  return decimalText(cents, 2)
}

/** The characters that every bank accepts: letters lose their accents, and anything else becomes a space. */
function bankText(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/?:().,'+-]+/g, ' ')
  return plain.trim() || 'NOTPROVIDED'
}
