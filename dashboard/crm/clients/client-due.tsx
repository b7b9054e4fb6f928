import { type DueByAge, readBillingSummary } from '#contract/billing/summary.ts'
import { Ageing } from '../../charts/share.tsx'
import type { HeadingLevel } from '../../data/detail-list.tsx'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { moneyText } from '../../parts/money-text.ts'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './client-detail.module.css'
import { documentTexts } from './documents.words.ts'

const ages = ['notDue', 'days1To30', 'days31To60', 'over60Days'] as const

/** The amounts that the client owes, by age: one bar for each currency, never summed together. For people who see invoices. */
export function ClientDue({ clientId, level }: { clientId: string; level: HeadingLevel }) {
  const may = useMay()
  return may(readBillingSummary) ? <DueOf clientId={clientId} level={level} /> : null
}

function DueOf({ clientId, level }: { clientId: string; level: HeadingLevel }) {
  const text = useWords(documentTexts)
  const language = useLanguage()
  const { data, error } = useRead(readBillingSummary, { query: { clientId } }, { staleMs: 0 })
  const Heading = level === 2 ? 'h2' : 'h3'
  const partsOf = (due: DueByAge) =>
    ages.map(age => ({
      id: age,
      label: text[age],
      value: due[age].cents,
      text:
        due[age].count === 0
          ? '–'
          : `${moneyText(due[age].cents, due.currency, language)} · ${text.invoiceCount(due[age].count)}`,
    }))
  return (
    <section className={styles.due}>
      <Heading className={styles.dueTitle}>{text.due}</Heading>
      {error && <Notice kind="danger">{textOfError(error, language)}</Notice>}
      {!data && !error && <Skeleton rows={2} label={text.readingDue} />}
      {data?.due.length === 0 && <p className={styles.quiet}>{text.nothingDue}</p>}
      {data?.due.map(due => (
        <Ageing key={due.currency} label={text.dueIn(due.currency.toUpperCase())} parts={partsOf(due)} />
      ))}
      {data?.isComplete === false && <p className={styles.quiet}>{text.notAllAdded}</p>}
    </section>
  )
}
