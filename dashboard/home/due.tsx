import type { Overview } from '#contract/identity/overview.ts'
import { Ageing } from '../charts/share.tsx'
import { Money } from '../parts/money.tsx'
import { moneyText } from '../parts/money-text.ts'
import { useLanguage, useWords } from '../words/words.ts'
import styles from './due.module.css'
import { homeTexts } from './home.words.ts'
import { totalDue } from './waiting.ts'

type Invoices = NonNullable<Overview['invoices']>

/** The amounts due, by age: one figure and one bar for each currency, never summed together. */
export function Due({ invoices }: { invoices: Invoices }) {
  const text = useWords(homeTexts)
  const language = useLanguage()
  return (
    <section className={styles.due}>
      {invoices.dueByAge.map(due => {
        const collected = invoices.collectedThisMonth.find(({ currency }) => currency === due.currency)
        const ages = [
          { id: 'notDue', label: text.notDue, cents: due.notDueCents },
          { id: 'to30', label: text.to30, cents: due.to30Cents },
          { id: 'to60', label: text.to60, cents: due.to60Cents },
          { id: 'over60', label: text.over60, cents: due.over60Cents },
        ]
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
            <Ageing
              label={text.due}
              parts={ages.map(({ id, label, cents }) => ({
                id,
                label,
                value: cents,
                text: moneyText(cents, due.currency, language),
              }))}
            />
          </div>
        )
      })}
      {invoices.areSumsPartial && <p className={styles.label}>{text.partial}</p>}
    </section>
  )
}
