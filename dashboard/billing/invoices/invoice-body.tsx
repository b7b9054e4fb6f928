import { lazy, Suspense } from 'react'
import { updateInvoice } from '#contract/billing/invoices.ts'
import { useMay } from '../../data/organization.tsx'
import { Money } from '../../parts/money.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import type { Authorization } from './authorization.rules.ts'
import styles from './invoice.module.css'
import type { Invoice } from './invoice.ts'
import { invoiceTexts } from './invoice.words.ts'
import { InvoiceAside } from './invoice-aside.tsx'
import type { InvoiceDialogName } from './invoice-dialog.ts'
import { InvoiceHistory } from './invoice-history.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import type { InvoiceMovements } from './invoice-reads.ts'
import { InvoiceSteps } from './invoice-steps.tsx'
import { NextStep } from './next-step.tsx'

const DraftEditor = lazy(() => import('./draft-editor.tsx').then(editor => ({ default: editor.DraftEditor })))

export type InvoiceBodyProps = {
  /** In the sheet, the amount follows the title closely. */
  isInSheet?: boolean
  invoice: Invoice
  movements: InvoiceMovements
  isComplete: boolean
  hasFailed: boolean
  authorization: Authorization | undefined
  isUnsaved: boolean
  onUnsaved: (isUnsaved: boolean) => void
  onAsk: (dialog: InvoiceDialogName) => void
}

/** An invoice: its amount, its next step, its steps, lines and history. The same on its page and in the sheet. */
export function InvoiceBody(props: InvoiceBodyProps) {
  const {
    isInSheet = false,
    invoice,
    movements,
    isComplete,
    hasFailed,
    authorization,
    isUnsaved,
    onUnsaved,
    onAsk,
  } = props
  const text = useWords(invoiceTexts)
  const may = useMay()
  const isDraft = invoice.status === 'DRAFT'
  return (
    <div className={styles.frame}>
      <div className={styles.body}>
        <div className={`${styles.head} ${isInSheet ? styles.inSheet : ''}`}>
          <InvoiceHead invoice={invoice} />
          <InvoiceSteps invoice={invoice} />
        </div>
        <aside className={styles.next} aria-label={text.nextStep}>
          {isComplete ? (
            <NextStep
              invoice={invoice}
              charges={movements.charges}
              authorization={authorization}
              isUnsaved={isUnsaved}
              onAsk={onAsk}
            />
          ) : (
            !hasFailed && <Skeleton rows={3} label={text.reading} />
          )}
        </aside>
        <div className={styles.main}>
          {isDraft && may(updateInvoice) ? (
            <Suspense fallback={<Skeleton rows={4} label={text.reading} />}>
              <DraftEditor invoice={invoice} isUnsaved={isUnsaved} onUnsaved={onUnsaved} />
            </Suspense>
          ) : (
            <section>
              <h2 className={styles.partTitle}>{text.lines}</h2>
              {invoice.lines.length === 0 ? (
                <p className={styles.quiet}>{text.noLines}</p>
              ) : (
                <InvoiceLines figures={invoice} currency={invoice.currency} />
              )}
              <Notes invoice={invoice} />
            </section>
          )}
          {!isDraft && (
            <section className={styles.history}>
              <h2 className={styles.partTitle}>{text.history}</h2>
              {hasFailed && <Notice kind="warn">{text.incomplete}</Notice>}
              <InvoiceHistory invoice={invoice} movements={movements} />
            </section>
          )}
        </div>
        <div className={styles.rest}>
          <InvoiceAside invoice={invoice} movements={movements} onAsk={onAsk} />
        </div>
      </div>
    </div>
  )
}

function InvoiceHead({ invoice }: { invoice: Invoice }) {
  const text = useWords(invoiceTexts)
  const { clientName, dueDate, issueDate, totalCents, paidCents, dueCents, currency, status } = invoice
  const isDue = dueCents > 0 && dueDate !== null
  return (
    <div>
      <p className={styles.quiet}>
        {clientName}
        {isDue ? (
          <>
            , {text.dueOn} <Time value={dueDate} form="date" />
          </>
        ) : (
          issueDate !== null && (
            <>
              , {text.issuedOn} <Time value={issueDate} form="date" />
            </>
          )
        )}
      </p>
      <p className={styles.amount}>
        <Money cents={totalCents} currency={currency} form="great" />
        {paidCents > 0 && dueCents > 0 && status !== 'DRAFT' && (
          <span className={styles.quiet}>
            {text.paidOf} <Money cents={paidCents} currency={currency} />, {text.stillDue}{' '}
            <Money cents={dueCents} currency={currency} />
          </span>
        )}
      </p>
    </div>
  )
}

function Notes({ invoice: { notes, internalNotes } }: { invoice: Invoice }) {
  const text = useWords(invoiceTexts)
  return (
    <>
      {notes && (
        <div className={styles.notes}>
          <h3 className={styles.label}>{text.notes}</h3>
          <p>{notes}</p>
        </div>
      )}
      {internalNotes && (
        <div className={styles.notes}>
          <h3 className={styles.label}>{text.internalNotes}</h3>
          <p>{internalNotes}</p>
        </div>
      )}
    </>
  )
}
