import { type ReactNode, useState } from 'react'
import { readReconciliation } from '#contract/billing/reconciliation.ts'
import type { Reply } from '#contract/route.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { late } from '../../parts/late.tsx'
import { Money } from '../../parts/money.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Empty, Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { DetailLink } from './detail-links.tsx'
import type { Difference } from './difference-cause.ts'
import { DifferenceEntry } from './difference-entry.tsx'
import styles from './reconciliation.module.css'
import { reconciliationTexts } from './reconciliation.words.ts'

const SettleDialog = late(() => import('./settle-dialog.tsx').then(dialog => dialog.SettleDialog))

/** The differences between the gateway and the ledger, and the payments that need somebody (REC-3, REC-5). */
export function Reconciliation() {
  const text = useWords(reconciliationTexts)
  const language = useLanguage()
  const { data, error } = useRead(readReconciliation, undefined, { staleMs: 0 })
  return (
    <Page title={text.title}>
      {!data && !error && <Skeleton label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data && <Found found={data} />}
    </Page>
  )
}

function Found({ found }: { found: Reply<typeof readReconciliation> }) {
  const text = useWords(reconciliationTexts)
  const [settling, setSettling] = useState<Difference>()
  const { differences, overpaid, stuck, stuckRefunds, disputed, foreignMovements } = found
  const count = [differences, overpaid, stuck, stuckRefunds, disputed].flat().length
  return (
    <>
      {foreignMovements > 0 && (
        <div className={styles.note}>
          <Notice>{text.foreign(foreignMovements)}</Notice>
        </div>
      )}
      {count === 0 && <Empty title={text.allAgrees}>{text.allAgreesAbout}</Empty>}
      {differences.length > 0 && (
        <Section title={text.differences} about={text.differencesAbout}>
          <ul className={styles.differences}>
            {differences.map(difference => (
              <li key={difference.id}>
                <DifferenceEntry difference={difference} onSettle={() => setSettling(difference)} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Payments
        title={text.disputed}
        about={text.disputedAbout}
        rows={disputed.map(({ paymentId, ...row }) => ({ ...row, id: paymentId }))}
      />
      <Payments
        title={text.overpaid}
        about={text.overpaidAbout}
        rows={overpaid.map(({ invoiceId, number, currency, overpaidCents, refundedCents }) => ({
          id: invoiceId,
          invoiceId,
          number,
          currency,
          amountCents: overpaidCents,
          beside: refundedCents > 0 && (
            <>
              {text.refundedPart} <Money cents={refundedCents} currency={currency} />
            </>
          ),
        }))}
      />
      <Payments
        title={text.stuck}
        about={text.stuckAbout}
        rows={stuck.map(({ chargeId, createdAt, ...row }) => ({
          ...row,
          id: chargeId,
          beside: <Time value={createdAt} form="moment" />,
        }))}
      />
      <Payments
        title={text.stuckRefunds}
        about={text.stuckRefundsAbout}
        rows={stuckRefunds.map(({ refundId, askedAt, ...row }) => ({
          ...row,
          id: refundId,
          beside: <Time value={askedAt} form="moment" />,
        }))}
      />
      {settling && <SettleDialog difference={settling} onClose={() => setSettling(undefined)} />}
    </>
  )
}

type PaymentRow = {
  id: string
  invoiceId: string
  number?: string | null
  amountCents: number
  currency: string
  beside?: ReactNode
}

/** Payments of one kind that need somebody, each with its invoice. */
function Payments({ title, about, rows }: { title: string; about: string; rows: readonly PaymentRow[] }) {
  const text = useWords(reconciliationTexts)
  if (rows.length === 0) return null
  return (
    <Section title={title} about={about}>
      <ul className={styles.payments}>
        {rows.map(({ id, invoiceId, number, amountCents, currency, beside }) => (
          <li key={id} className={styles.payment}>
            <DetailLink noun="invoice" id={invoiceId}>
              {number ?? text.openInvoice}
            </DetailLink>
            <span className={styles.beside}>{beside}</span>
            <Money cents={amountCents} currency={currency} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
