import type { Invoice } from './invoice.ts'
import type { ListCharge, ListedRefundOfInvoice } from './invoice-reads.ts'

/** The next legal step of an invoice. */
export type NextStep = 'issue' | 'send' | 'charge' | 'registerPayment' | 'none'

/** The next step; `canCharge`: the user of the application authorized charges, and the caller may start one. */
export function nextStepOf(
  { status, dueCents, sentAt }: Pick<Invoice, 'status' | 'dueCents' | 'sentAt'>,
  canCharge: boolean,
): NextStep {
  if (status === 'DRAFT') return 'issue'
  if (status === 'VOIDED' || status === 'RECTIFIED') return 'none'
  if (dueCents > 0) {
    if (sentAt === null) return 'send'
    return canCharge ? 'charge' : 'registerPayment'
  }
  return status === 'ISSUED' ? 'send' : 'none'
}

/** The charge that the gateway works on or that waits for the payer; undefined without one. */
export function openChargeOf(charges: readonly ListCharge[]): ListCharge | undefined {
  return charges.find(({ status, endedAt }) => endedAt === null && isUnfinished(status))
}

function isUnfinished(status: ListCharge['status']): boolean {
  return status === 'PROCESSING' || status === 'REQUIRES_ACTION'
}

/** Whether the invoice is locked: while the gateway works, nobody may charge, void, or register a payment (BIL-9). */
export function isLocked(charges: readonly ListCharge[]): boolean {
  return charges.some(({ status, endedAt }) => status === 'PROCESSING' && endedAt === null)
}

/** The amount that the gateway collected and that no refund has returned or reserved, in the smallest unit. */
export function refundableOf(
  { payments }: Pick<Invoice, 'payments'>,
  refunds: readonly ListedRefundOfInvoice[],
): number {
  const collected = payments
    .filter(({ paymentIntentId, reversedAt }) => paymentIntentId !== null && reversedAt === null)
    .reduce((sum, payment) => sum + payment.amountCents - payment.refundedCents, 0)
  const reserved = refunds
    .filter(({ status }) => status === 'PENDING')
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
  return Math.max(collected - reserved, 0)
}

/** The three answers to “What went wrong?”. */
export type Correction = 'void' | 'rectify' | 'refund'
/** Why an answer is not possible now. */
export type CorrectionObstacle =
  | 'notIssued'
  | 'voided'
  | 'locked'
  | 'hasMoney'
  | 'isRectified'
  | 'isRectifying'
  | 'nothingLeft'
  | 'nothingPaid'
  | 'paidByHand'
  | 'refundPending'

/** Why each correction is not possible; undefined if it is. The server decides, see INV-24, INV-25, INV-28 and RFD-4. */
export function correctionObstacles(
  invoice: Invoice,
  charges: readonly ListCharge[],
  refunds: readonly ListedRefundOfInvoice[],
): Record<Correction, CorrectionObstacle | undefined> {
  if (invoice.status === 'DRAFT') return { void: 'notIssued', rectify: 'notIssued', refund: 'notIssued' }
  if (invoice.status === 'VOIDED')
    return { void: 'voided', rectify: 'voided', refund: refundObstacle(invoice, refunds) }
  return {
    void: voidObstacle(invoice, charges),
    rectify: rectifyObstacle(invoice),
    refund: refundObstacle(invoice, refunds),
  }
}

function voidObstacle(invoice: Invoice, charges: readonly ListCharge[]): CorrectionObstacle | undefined {
  if (isLocked(charges)) return 'locked'
  if (invoice.rectifiedBy.some(({ status }) => status !== 'DRAFT' && status !== 'VOIDED'))
    return 'isRectified'
  return invoice.paidCents > invoice.refundedCents ? 'hasMoney' : undefined
}

function rectifyObstacle(invoice: Invoice): CorrectionObstacle | undefined {
  if (invoice.isRectifying) return 'isRectifying'
  return invoice.totalCents > 0 && invoice.rectifiedCents >= invoice.totalCents ? 'nothingLeft' : undefined
}

function refundObstacle(
  invoice: Invoice,
  refunds: readonly ListedRefundOfInvoice[],
): CorrectionObstacle | undefined {
  if (refundableOf(invoice, refunds) > 0) return undefined
  if (refunds.some(({ status }) => status === 'PENDING')) return 'refundPending'
  const counted = invoice.payments.filter(({ reversedAt }) => reversedAt === null)
  if (counted.length === 0) return 'nothingPaid'
  return counted.every(({ paymentIntentId }) => paymentIntentId === null) ? 'paidByHand' : 'nothingLeft'
}
