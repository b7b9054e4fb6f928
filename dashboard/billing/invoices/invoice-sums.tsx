import { readBillingSummary } from '#contract/billing/summary.ts'
import { useRead } from '../../data/read.ts'
import { Money } from '../../parts/money.tsx'
import { useWords } from '../../words/words.ts'
import styles from './invoices.module.css'
import { invoiceListTexts } from './invoices.words.ts'

const ages = ['notDue', 'days1To30', 'days31To60', 'over60Days'] as const

/**
 * The unpaid amounts by age, one line for each currency, as the server adds them up: of all clients, or of one.
 * `isOverdue`: without what is not due yet.
 */
export function InvoiceSums({ clientId, isOverdue }: { clientId?: string | undefined; isOverdue: boolean }) {
  const text = useWords(invoiceListTexts)
  const summary = useRead(readBillingSummary, { query: { ...(clientId && { clientId }) } }, { staleMs: 0 })
  if (!summary.data || summary.data.due.length === 0) return null
  return (
    <section className={styles.sums} aria-label={text.sums}>
      {summary.data.due.map(due => (
        <dl key={due.currency} className={styles.ages}>
          {ages
            .filter(age => due[age].count > 0 && !(isOverdue && age === 'notDue'))
            .map(age => (
              <div key={age} className={styles.age}>
                <dt>{text[age]}</dt>
                <dd>
                  <Money cents={due[age].cents} currency={due.currency} />{' '}
                  <span className={styles.quiet}>({due[age].count})</span>
                </dd>
              </div>
            ))}
        </dl>
      ))}
      {!summary.data.isComplete && <p className={styles.quiet}>{text.partial}</p>}
    </section>
  )
}
