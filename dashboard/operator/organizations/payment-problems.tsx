import { countPayments } from '#contract/billing/reconciliation.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { countText } from '../../parts/number-text.ts'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './organizations.module.css'
import { organizationTexts } from './organizations.words.ts'

const kinds = ['stuckCharges', 'stuckRefunds', 'disputedPayments', 'differences', 'overpaidInvoices'] as const

/** How many payments of an organization need somebody (REC-6). */
export function PaymentProblems({ organizationId, level }: { organizationId: string; level: 2 | 3 }) {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const { data, error } = useRead(countPayments, { params: { id: organizationId } }, { staleMs: 0 })
  const found = data ? kinds.filter(kind => data[kind] > 0) : []
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <>
      <Heading className={styles.subtitle}>{text.problems}</Heading>
      {!data && !error && <Skeleton rows={1} label={text.problems} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data && found.length === 0 && <p className={styles.quiet}>{text.noProblems}</p>}
      {data && found.length > 0 && (
        <>
          <p className={styles.quiet}>{text.problemsAbout}</p>
          <ul>
            {found.map(kind => (
              <li key={kind} className={styles.part}>
                <span>{text[kind]}</span>
                <b className={styles.figure}>{countText(data[kind], language)}</b>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
