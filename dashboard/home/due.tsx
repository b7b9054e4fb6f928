import type { Overview } from '#contract/identity/overview.ts'
import { Money } from '../parts/money.tsx'
import { useWords } from '../words/words.ts'
import styles from './due.module.css'
import { homeTexts } from './home.words.ts'
import { totalDue } from './waiting.ts'

type Invoices = NonNullable<Overview['invoices']>
const barWidth = 1_000

/** What is due, by age: one figure and one bar for each currency, never summed together. */
export function Due({ invoices }: { invoices: Invoices }) {
  const text = useWords(homeTexts)
  return (
    <section className={styles.due}>
      {invoices.dueByAge.map(due => {
        const collected = invoices.collectedThisMonth.find(({ currency }) => currency === due.currency)
        const ages = [
          { id: 'notDue', label: text.notDue, cents: due.notDueCents },
          { id: 'to30', label: text.to30, cents: due.to30Cents },
          { id: 'to60', label: text.to60, cents: due.to60Cents },
          { id: 'over60', label: text.over60, cents: due.over60Cents },
        ] as const
        return (
          <div key={due.currency} className={styles.currency}>
            <div className={styles.head}>
              <div>
                <h2 className={styles.label}>{text.due}</h2>
                <Money cents={totalDue(due)} currency={due.currency} form="great" />
              </div>
              {collected && (
                <p className={styles.label}>
                  {text.collected}: <Money cents={collected.cents} currency={collected.currency} />
                </p>
              )}
            </div>
            <Bar ages={ages} total={totalDue(due)} />
            <dl className={styles.ages}>
              {ages.map(({ id, label, cents }) => (
                <div key={id}>
                  <dt className={styles.label}>
                    <i className={`${styles.mark} ${styles[id]}`} aria-hidden="true" />
                    {label}
                  </dt>
                  <dd className={styles.amount}>
                    <Money cents={cents} currency={due.currency} />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        )
      })}
      {invoices.areSumsPartial && <p className={styles.label}>{text.partial}</p>}
    </section>
  )
}

/** The ages as one bar; its figures stand below, so it is only for the eye. */
function Bar({ ages, total }: { ages: readonly { id: string; cents: number }[]; total: number }) {
  let x = 0
  return (
    <svg viewBox={`0 0 ${barWidth} 8`} preserveAspectRatio="none" className={styles.bar} aria-hidden="true">
      {ages
        .filter(({ cents }) => cents > 0)
        .map(({ id, cents }) => {
          const width = (cents / total) * barWidth
          const start = x
          x += width
          return (
            <rect
              key={id}
              x={start}
              width={Math.max(1, width - 2)}
              height="8"
              className={styles[`${id}Bar`]}
            />
          )
        })}
    </svg>
  )
}
