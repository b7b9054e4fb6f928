import type { ReactNode } from 'react'
import type { IconName } from '../../parts/icon.tsx'
import { Money } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import { Timeline, type TimelineEvent } from '../../parts/timeline.tsx'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import { reminderTexts, ruleName } from '../settings/reminders.words.ts'
import { declineText } from './decline.words.ts'
import styles from './invoice.module.css'
import type { Invoice } from './invoice.ts'
import { invoiceTexts } from './invoice.words.ts'
import { type InvoiceEvent, invoiceEvents } from './invoice-events.ts'
import type { InvoiceMovements } from './invoice-reads.ts'

type Texts = (typeof invoiceTexts)['en']
type Shown = { icon: IconName; kind?: TimelineEvent['kind']; content: ReactNode }

/** Everything that happened to an invoice in one timeline, the newest first. */
export function InvoiceHistory({ invoice, movements }: { invoice: Invoice; movements: InvoiceMovements }) {
  const text = useWords(invoiceTexts) as Texts
  const language = useLanguage()
  return (
    <Timeline
      label={text.history}
      events={invoiceEvents(invoice, movements).map(event => ({
        id: event.id,
        at: event.at,
        ...shownEvent(event, invoice, text, language),
      }))}
    />
  )
}

function shownEvent(event: InvoiceEvent, invoice: Invoice, text: Texts, language: Language): Shown {
  switch (event.kind) {
    case 'created':
      return { icon: 'dashed', content: text.created }
    case 'issued':
      return {
        icon: 'invoices',
        kind: 'done',
        content: (
          <>
            {text.issued} <Money cents={invoice.totalCents} currency={invoice.currency} />
          </>
        ),
      }
    case 'voided':
      return { icon: 'blocked', kind: 'danger', content: text.voided }
    case 'mailed':
      return shownDelivery(event.delivery, text)
    case 'reminded':
      return { icon: 'mail', kind: 'done', content: <Reminded days={event.days} /> }
    case 'linkMade':
      return {
        icon: 'link',
        content: (
          <>
            {text[`linkMade${event.link.kind}`]}
            <span className={styles.quiet}>
              , {text.expires} <Time value={event.link.expiresAt} form="date" />
            </span>
          </>
        ),
      }
    case 'linkRevoked':
      return { icon: 'close', content: text.linkRevoked }
    case 'charge':
      return shownCharge(event.charge, text, language)
    case 'refund':
      return {
        icon: event.refund.status === 'FAILED' ? 'failed' : 'clock',
        kind: event.refund.status === 'FAILED' ? 'danger' : 'plain',
        content: (
          <>
            {text[`refund${event.refund.status}`]}{' '}
            <Money cents={event.refund.amountCents} currency={event.refund.currency} />
          </>
        ),
      }
    case 'money':
      return shownMovement(event, text)
  }
}

function Reminded({ days }: { days: number }) {
  const text = useWords(reminderTexts)
  return (
    <>
      {text.sent}
      <span className={styles.quiet}>, {ruleName(text, days)}</span>
    </>
  )
}

function shownDelivery(
  { state, recipients, copies, refused, answer }: Extract<InvoiceEvent, { kind: 'mailed' }>['delivery'],
  text: Texts,
): Shown {
  const looks = {
    SENT: { icon: 'mail', kind: 'done' },
    SENDING: { icon: 'clock', kind: 'plain' },
    REFUSED: { icon: 'failed', kind: 'danger' },
    UNKNOWN: { icon: 'errors', kind: 'warn' },
  } as const
  return {
    ...looks[state],
    content: (
      <>
        {text[`mailed${state}`]([...recipients, ...copies].join(', '))}
        {refused.length > 0 && state === 'SENT' && (
          <span className={styles.line}>{text.mailedRefused(refused.join(', '))}</span>
        )}
        {answer !== null && <span className={`${styles.line} ${styles.quiet}`}>{answer}</span>}
      </>
    ),
  }
}

function shownCharge(
  charge: Extract<InvoiceEvent, { kind: 'charge' }>['charge'],
  text: Texts,
  language: Language,
): Shown {
  const looks = {
    FAILED: { icon: 'failed', kind: 'danger' },
    PROCESSING: { icon: 'clock', kind: 'plain' },
    REQUIRES_ACTION: { icon: 'person', kind: 'warn' },
    SUCCEEDED: { icon: 'done', kind: 'done' },
  } as const
  return {
    ...looks[charge.status],
    content: (
      <>
        {text[`charge${charge.status}`]} <Money cents={charge.amountCents} currency={charge.currency} />
        {charge.status === 'FAILED' && (
          <span className={`${styles.line} ${styles.quiet}`}>{declineText(charge, language)}</span>
        )}
      </>
    ),
  }
}

function shownMovement(
  { entry, method, reference }: Extract<InvoiceEvent, { kind: 'money' }>,
  text: Texts,
): Shown {
  const looks = {
    PAYMENT: { icon: 'payments', kind: 'done' },
    PAYMENT_REVERSAL: { icon: 'retry', kind: 'warn' },
    REFUND: { icon: 'retry', kind: 'plain' },
    REVERSAL: { icon: 'errors', kind: 'warn' },
    DISPUTE: { icon: 'errors', kind: 'danger' },
  } as const
  const about = [methodText(method, text), reference].filter(Boolean).join(', ')
  return {
    ...looks[entry.kind],
    content: (
      <>
        {text[`money${entry.kind}`]} <Money cents={entry.amountCents} currency={entry.currency} />
        {entry.kind === 'PAYMENT' && about !== '' && (
          <span className={`${styles.line} ${styles.quiet}`}>{about}</span>
        )}
      </>
    ),
  }
}

function methodText(method: string | undefined, text: Texts): string | undefined {
  if (method === undefined) return undefined
  const methods: Readonly<Record<string, string>> = {
    TRANSFER: text.TRANSFER,
    CASH: text.CASH,
    CHECK: text.CHECK,
    CARD: text.CARD,
    OTHER: text.OTHER,
    GATEWAY_CARD: text.GATEWAY_CARD,
    DIRECT_DEBIT: text.DIRECT_DEBIT,
  }
  return methods[method] ?? method
}
