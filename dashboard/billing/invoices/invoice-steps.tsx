import { Time } from '../../parts/time.tsx'
import { type Step, Steps } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import type { Invoice } from './invoice.ts'
import { invoiceTexts } from './invoice.words.ts'

/** Issued, sent, collected: what is done, and what is next. */
export function InvoiceSteps({ invoice }: { invoice: Invoice }) {
  const text = useWords(invoiceTexts)
  const { status, issuedAt, issueDate, sentAt, lastPaymentAt, dueDate, dueCents } = invoice
  if (status === 'VOIDED' || status === 'RECTIFIED') return null
  const isPaid = status === 'PAID'
  const isCollecting = issuedAt !== null && dueCents > 0 && sentAt !== null
  const issue: Step = {
    id: 'issue',
    title: issuedAt ? text.stepIssued : text.stepIssue,
    state: issuedAt ? 'done' : 'next',
    // the day that the invoice states, which may be before the moment of its issue
    about: issueDate && <Time value={issueDate} form="date" />,
  }
  const send: Step = {
    id: 'send',
    title: sentAt ? text.stepSent : text.stepSend,
    state: sentAt !== null ? 'done' : status === 'ISSUED' ? 'next' : 'later',
    about: sentAt && <Time value={sentAt} form="moment" />,
  }
  const collect: Step = {
    id: 'collect',
    title: isPaid ? text.stepPaid : text.stepCollect,
    state: isPaid ? 'done' : isCollecting ? 'next' : 'later',
    about: isPaid
      ? lastPaymentAt && <Time value={lastPaymentAt} form="moment" />
      : dueDate && (
          <>
            {text.dueOn} <Time value={dueDate} form="date" />
          </>
        ),
  }
  // a paid invoice need not have been sent
  const isSkipped = isPaid && sentAt === null
  return <Steps label={text.steps} steps={isSkipped ? [issue, collect] : [issue, send, collect]} />
}
