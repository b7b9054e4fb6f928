import { element, type XmlElement, xmlDocument } from '#platform/xml.ts'

// files as banks send them, for the tests of direct debits

const amount = (cents: number) => element('Amt', (cents / 100).toFixed(2), { Ccy: 'EUR' })

/** A camt.054.001.08 with one entry, and a transaction for each `[end-to-end id, cents]`, or with a group and its sum. */
export function creditMessage(
  transactions: [endToEndId: string, cents: number][],
  { group, cents, status = 'BOOK' }: { group?: string; cents?: number; status?: string } = {},
): string {
  const details = transactions.map(([id, each]) =>
    element('TxDtls', [
      element('Refs', [element('EndToEndId', id)]),
      amount(each),
      element('CdtDbtInd', 'CRDT'),
    ]),
  )
  const sum = cents ?? transactions.reduce((total, [, each]) => total + each, 0)
  const batch = group === undefined ? [] : [element('Btch', [element('PmtInfId', group)])]
  return notification([entry('CRDT', sum, status, [...batch, ...details])])
}

/** A camt.054.001.08 with an entry for each return. */
export function returnMessage(returns: [endToEndId: string, cents: number, reason: string][]): string {
  return notification(
    returns.map(([id, cents, reason]) =>
      entry('DBIT', cents, 'BOOK', [
        element('TxDtls', [
          element('Refs', [element('EndToEndId', id)]),
          amount(cents),
          element('CdtDbtInd', 'DBIT'),
          element('RtrInf', [element('Rsn', [element('Cd', reason)])]),
        ]),
      ]),
    ),
  )
}

/** A pain.002.001.10 that rejects these direct debits of a remittance, or without any the whole message. */
export function rejectionMessage(
  remittanceId: string,
  rejections: [endToEndId: string, reason: string][],
): string {
  const reasonOf = (code: string) => element('StsRsnInf', [element('Rsn', [element('Cd', code)])])
  const group = element('OrgnlPmtInfAndSts', [
    element('OrgnlPmtInfId', `${remittanceId}-CORE-RCUR`),
    ...rejections.map(([id, reason]) =>
      element('TxInfAndSts', [element('OrgnlEndToEndId', id), element('TxSts', 'RJCT'), reasonOf(reason)]),
    ),
  ])
  const isWhole = rejections.length === 0
  return document('pain.002.001.10', 'CstmrPmtStsRpt', [
    element('OrgnlGrpInfAndSts', [
      element('OrgnlMsgId', remittanceId),
      ...(isWhole ? [element('GrpSts', 'RJCT'), reasonOf('FF01')] : []),
    ]),
    ...(isWhole ? [] : [group]),
  ])
}

function entry(direction: string, cents: number, status: string, details: XmlElement[]): XmlElement {
  return element('Ntry', [
    amount(cents),
    element('CdtDbtInd', direction),
    element('Sts', [element('Cd', status)]),
    element('BookgDt', [element('Dt', '2026-11-20')]),
    element('NtryDtls', details),
  ])
}

function notification(entries: XmlElement[]): string {
  return document('camt.054.001.08', 'BkToCstmrDbtCdtNtfctn', [element('Ntfctn', entries)])
}

function document(message: string, root: string, content: XmlElement[]): string {
  return xmlDocument(
    element('Document', [element(root, content)], { xmlns: `urn:iso:std:iso:20022:tech:xsd:${message}` }),
  )
}
