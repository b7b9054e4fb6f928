import { XMLParser } from 'fast-xml-parser'
import type { BankFileReport, BankResult } from '#contract/billing/direct-debits.ts'
import { limits } from '#contract/limits.ts'

/** The result of one direct debit. PENDING: the bank has not booked it. */
export type ReportedResult = {
  result: BankResult | 'PENDING'
  /** An ISO 20022 code, or a code of the bank. */
  reasonCode: string | null
  /** Null if the file does not name an amount in euros. */
  amountCents: number | null
  /** The day on which the bank booked it, `YYYY-MM-DD`. */
  bookedOn: string | null
}
/**
 * An entry of a file. `endToEndId` names a direct debit; `groupId` names all of a message or of a group of payments, and then
 * the amount is that of all of them together.
 */
export type ReportedEntry = ReportedResult & { endToEndId: string | null; groupId: string | null }
export type BankFile = { format: BankFileReport['format']; entries: ReportedEntry[] }

const lists = ['OrgnlPmtInfAndSts', 'TxInfAndSts', 'StsRsnInf', 'Ntfctn', 'Ntry', 'NtryDtls', 'TxDtls']
// a document type is refused before, so there are no entities but the five of XML
const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  maxNestedTags: limits.bankFileDepth,
  isArray: name => lists.includes(name),
})

/** An element. Repeated elements of `lists` are arrays. */
type XmlNode = Readonly<Record<string, unknown>>

/** Says why a file cannot be read. */
class UnreadableFile extends Error {}

/** The entries of a pain.002 or camt.054 of any version, or why it cannot be read. It runs in another thread. */
export function parseBankFile(document: string): BankFile | { problem: string } {
  try {
    return bankFileOf(document)
  } catch (error) {
    if (error instanceof UnreadableFile) return { problem: error.message }
    throw error
  }
}

function bankFileOf(document: string): BankFile {
  const root = child(parse(document), 'Document')
  const report = child(root, 'CstmrPmtStsRpt')
  const notification = child(root, 'BkToCstmrDbtCdtNtfctn')
  if (!report && !notification) refuse('is neither a pain.002 nor a camt.054')
  const file: BankFile = report
    ? { format: 'pain.002', entries: statusEntries(report) }
    : { format: 'camt.054', entries: children(notification, 'Ntfctn').flatMap(notificationEntries) }
  if (file.entries.length > limits.bankFileEntries) refuse(`has more than ${limits.bankFileEntries} entries`)
  return file
}

function parse(document: string): XmlNode {
  if (/<!DOCTYPE/i.test(document)) refuse('has a document type declaration')
  try {
    return parser.parse(document, true) as XmlNode
  } catch {
    return refuse('is not well-formed XML, or has too many levels')
  }
}

/** The rejections of a pain.002; it has nothing else to record. */
function statusEntries(report: XmlNode): ReportedEntry[] {
  const message = child(report, 'OrgnlGrpInfAndSts')
  const groups = children(report, 'OrgnlPmtInfAndSts')
  if (message && groups.length === 0 && isRejected(text(message, 'GrpSts')))
    return [rejection(message, null, text(message, 'OrgnlMsgId'))]
  return groups.flatMap(group => {
    const transactions = children(group, 'TxInfAndSts')
    const isGroupRejected = isRejected(text(group, 'PmtInfSts')) || isRejected(text(message, 'GrpSts'))
    if (transactions.length === 0)
      return isGroupRejected ? [rejection(group, null, text(group, 'OrgnlPmtInfId'))] : []
    return transactions
      .filter(each => isRejected(text(each, 'TxSts')) || (isGroupRejected && !text(each, 'TxSts')))
      .map(each => rejection(each, text(each, 'OrgnlEndToEndId') ?? '', null))
  })
}

function rejection(
  node: XmlNode,
  endToEndId: string | null,
  groupId: string | null | undefined,
): ReportedEntry {
  const reason = child(children(node, 'StsRsnInf')[0], 'Rsn')
  return {
    endToEndId,
    groupId: endToEndId === null ? (groupId ?? '') : null,
    result: 'REJECTED',
    reasonCode: codeOf(reason),
    amountCents: centsOf(child(child(node, 'OrgnlTxRef'), 'Amt')?.InstdAmt),
    bookedOn: null,
  }
}

function isRejected(status: string | undefined): boolean {
  return status === 'RJCT'
}

function notificationEntries(notification: XmlNode): ReportedEntry[] {
  return children(notification, 'Ntry').flatMap(entry => {
    const bookedOn = dayOf(text(child(entry, 'BookgDt'), 'Dt') ?? text(child(entry, 'BookgDt'), 'DtTm'))
    // a code of its own from version 8 on
    const isBooked = (text(child(entry, 'Sts'), 'Cd') ?? text(entry, 'Sts')) === 'BOOK'
    const parts = children(entry, 'NtryDtls')
    return (parts.length === 0 ? [entry] : parts).flatMap((details): ReportedEntry[] => {
      const transactions = children(details, 'TxDtls')
      const batch = child(details, 'Btch')
      const of = (node: XmlNode, amount: unknown) => ({
        result: isBooked ? resultOf(node, entry) : ('PENDING' as const),
        reasonCode: codeOf(child(child(node, 'RtrInf'), 'Rsn')),
        amountCents: centsOf(amount),
        bookedOn,
      })
      if (transactions.length === 0) {
        const groupId = text(batch, 'PmtInfId') ?? text(batch, 'MsgId')
        const reference = groupId ?? text(entry, 'AcctSvcrRef') ?? text(entry, 'NtryRef') ?? ''
        return [{ ...of(details, entry.Amt), endToEndId: null, groupId: reference }]
      }
      return transactions.map(each => ({
        ...of(each, amountOf(each) ?? (transactions.length === 1 ? entry.Amt : undefined)),
        endToEndId: text(child(each, 'Refs'), 'EndToEndId') ?? '',
        groupId: null,
      }))
    })
  })
}

/** The original amount of a transaction, without the fees of a return. */
function amountOf(transaction: XmlNode): unknown {
  const details = child(transaction, 'AmtDtls')
  return child(details, 'InstdAmt')?.Amt ?? child(details, 'TxAmt')?.Amt ?? transaction.Amt
}

/** Money that leaves the account of the creditor, or the reversal of a credit, is a return. */
function resultOf(transaction: XmlNode, entry: XmlNode): BankResult {
  const direction = text(transaction, 'CdtDbtInd') ?? text(entry, 'CdtDbtInd')
  const isReversal = text(entry, 'RvslInd') === 'true'
  return direction === 'CRDT' && !isReversal && !child(transaction, 'RtrInf') ? 'COLLECTED' : 'RETURNED'
}

function codeOf(reason: XmlNode | undefined): string | null {
  const code = text(reason, 'Cd') ?? text(reason, 'Prtry')
  return code !== undefined && code.length <= limits.reasonCode && /^[A-Z0-9]+$/.test(code) ? code : null
}

function centsOf(amount: unknown): number | null {
  if (!isNode(amount) || amount['@Ccy'] !== 'EUR') return null
  const read = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text(amount, '#text') ?? '')
  return read ? Number(read[1]) * 100 + Number((read[2] ?? '').padEnd(2, '0')) : null
}

function dayOf(value: string | undefined): string | null {
  const day = value?.slice(0, 10) ?? ''
  return /^2\d{3}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : null
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  const value = node?.[name]
  return isNode(value) ? value : undefined
}

function children(node: XmlNode | undefined, name: string): XmlNode[] {
  const value = node?.[name]
  return Array.isArray(value) ? value.filter(isNode) : []
}

function text(node: XmlNode | undefined, name: string): string | undefined {
  const value = node?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function refuse(message: string): never {
  throw new UnreadableFile(message)
}
