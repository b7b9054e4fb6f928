import type { DirectDebitState, Mandate, Remittance } from '#contract/billing/direct-debits.ts'
import { Status, type StatusLook } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { directDebitTexts } from './direct-debits.words.ts'

const mandateLooks: Readonly<Record<Mandate['status'], StatusLook>> = {
  ACTIVE: { icon: 'done', kind: 'done' },
  USED: { icon: 'done', kind: 'quiet' },
  LAPSED: { icon: 'clock', kind: 'quiet' },
  CANCELLED: { icon: 'close', kind: 'quiet' },
}
const remittanceLooks: Readonly<Record<Remittance['state'], StatusLook>> = {
  PREPARED: { icon: 'half', kind: 'warn' },
  SENT: { icon: 'done', kind: 'info' },
  CANCELLED: { icon: 'close', kind: 'quiet' },
}
const debitLooks: Readonly<Record<DirectDebitState, StatusLook>> = {
  OPEN: { icon: 'clock', kind: 'info' },
  COLLECTED: { icon: 'done', kind: 'done' },
  REJECTED: { icon: 'failed', kind: 'danger' },
  RETURNED: { icon: 'retry', kind: 'danger' },
  CANCELLED: { icon: 'close', kind: 'quiet' },
}

export function MandateStatus({ status }: Pick<Mandate, 'status'>) {
  return <Status {...mandateLooks[status]}>{useWords(directDebitTexts)[status]}</Status>
}

export function RemittanceState({ state }: Pick<Remittance, 'state'>) {
  const text = useWords(directDebitTexts)
  return (
    <Status {...remittanceLooks[state]}>
      {state === 'CANCELLED' ? text.cancelledRemittance : text[state]}
    </Status>
  )
}

export function DebitState({ state }: { state: DirectDebitState }) {
  return <Status {...debitLooks[state]}>{useWords(directDebitTexts)[state]}</Status>
}
