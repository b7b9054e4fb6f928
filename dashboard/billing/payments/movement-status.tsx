import { Status, type StatusLook } from '../../parts/status.tsx'
import { useWords, words } from '../../words/words.ts'
import type { Charge, Payment, Refund } from './movement.ts'

const paymentLooks: Readonly<Record<Payment['status'], StatusLook>> = {
  RECEIVED: { icon: 'done', kind: 'done' },
  PARTIALLY_REFUNDED: { icon: 'half', kind: 'plain' },
  REFUNDED: { icon: 'retry', kind: 'quiet' },
  DISPUTED: { icon: 'errors', kind: 'warn' },
  REVERSED: { icon: 'close', kind: 'quiet' },
}
const chargeLooks: Readonly<Record<Charge['status'], StatusLook>> = {
  SUCCEEDED: { icon: 'done', kind: 'done' },
  REQUIRES_ACTION: { icon: 'person', kind: 'warn' },
  PROCESSING: { icon: 'clock', kind: 'info' },
  FAILED: { icon: 'failed', kind: 'danger' },
}
const refundLooks: Readonly<Record<Refund['status'], StatusLook>> = {
  PENDING: { icon: 'clock', kind: 'info' },
  SUCCEEDED: { icon: 'done', kind: 'done' },
  FAILED: { icon: 'failed', kind: 'danger' },
}

export const paymentStatusTexts = words({
  es: {
    RECEIVED: 'Cobrado',
    PARTIALLY_REFUNDED: 'Devuelto en parte',
    REFUNDED: 'Devuelto',
    DISPUTED: 'En disputa',
    REVERSED: 'Anulado',
  },
  en: {
    RECEIVED: 'Received',
    PARTIALLY_REFUNDED: 'Refunded in part',
    REFUNDED: 'Refunded',
    DISPUTED: 'Disputed',
    REVERSED: 'Reversed',
  },
})
export const chargeStatusTexts = words({
  es: {
    SUCCEEDED: 'Cobrado',
    REQUIRES_ACTION: 'Espera al cliente',
    PROCESSING: 'En curso',
    FAILED: 'No se cobró',
  },
  en: {
    SUCCEEDED: 'Collected',
    REQUIRES_ACTION: 'Waits for the client',
    PROCESSING: 'In progress',
    FAILED: 'Not collected',
  },
})
export const refundStatusTexts = words({
  es: { PENDING: 'En curso', SUCCEEDED: 'Devuelto', FAILED: 'No se devolvió' },
  en: { PENDING: 'In progress', SUCCEEDED: 'Refunded', FAILED: 'Not refunded' },
})

export function PaymentStatus({ status }: Pick<Payment, 'status'>) {
  return <Status {...paymentLooks[status]}>{useWords(paymentStatusTexts)[status]}</Status>
}

export function ChargeStatus({ status }: Pick<Charge, 'status'>) {
  return <Status {...chargeLooks[status]}>{useWords(chargeStatusTexts)[status]}</Status>
}

export function RefundStatus({ status }: Pick<Refund, 'status'>) {
  return <Status {...refundLooks[status]}>{useWords(refundStatusTexts)[status]}</Status>
}
