import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'
import { useOrganization } from '../../data/organization.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { countText } from '../../parts/total.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { TicketStatus } from '../tickets/ticket-status.tsx'
import { regressionOf, silenceOf } from './error.rules.ts'
import { type ErrorDetail, placeOf, restOf } from './error.ts'
import styles from './error-body.module.css'
import { ErrorChart } from './error-chart.tsx'
import { errorDetailTexts } from './error-details.words.ts'
import { ErrorHistory } from './error-history.tsx'
import { ErrorSamples } from './error-samples.tsx'
import { ErrorState } from './error-status.tsx'
import { errorTexts } from './errors.words.ts'

/** An error: how it came back, its hours, samples and history. The same on its page and in the sheet. */
export function ErrorBody({
  error,
  applicationName,
  isPage = false,
  children,
}: {
  error: ErrorDetail
  applicationName: string
  isPage?: boolean
  /** Further parts about the error, at the end. */
  children?: ReactNode
}) {
  const text = useWords(errorDetailTexts)
  const rest = restOf(error)
  return (
    <div className={isPage ? styles.page : styles.sheet}>
      <div className={styles.main}>
        <Regression error={error} />
        {error.isOverflow && <Notice>{text.overflow}</Notice>}
        {rest !== '' && <p className={styles.text}>{rest}</p>}
        <ErrorChart error={error} />
        <ErrorSamples samples={error.samples} message={error.message} isPage={isPage} />
        {!isPage && (
          <>
            <section className={styles.part}>
              <h2 className={styles.partTitle}>{text.facts}</h2>
              <ErrorFacts error={error} applicationName={applicationName} />
            </section>
            <History error={error} />
          </>
        )}
        {children}
      </div>
      {isPage && (
        <aside className={styles.aside} aria-label={text.facts}>
          <ErrorFacts error={error} applicationName={applicationName} />
          <History error={error} />
        </aside>
      )}
    </div>
  )
}

function Regression({ error }: { error: ErrorDetail }) {
  const text = useWords(errorDetailTexts)
  const regression = regressionOf(error, error.history)
  if (!regression) return null
  const { at, resolved } = regression
  return (
    <Notice kind="warn">
      {text.cameBack} <Time value={at} form="moment" />
      {resolved && (
        <>
          {'. '}
          {text.resolvedOn(resolved.by?.name || text.somebody)} <Time value={resolved.at} form="moment" />
        </>
      )}
      .
    </Notice>
  )
}

function ErrorFacts({ error, applicationName }: { error: ErrorDetail; applicationName: string }) {
  const text = useWords(errorDetailTexts)
  const words = useWords(errorTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const base = `/o/${encodeURIComponent(address)}/errors`
  const application = `?application=${error.applicationId}`
  const number = (count: number, cap = Number.POSITIVE_INFINITY) => countText(count, language, cap)
  return (
    <Facts
      facts={[
        { term: words.state, value: <ErrorState state={error.state} /> },
        {
          term: text.resolvedBy,
          value: error.resolvedAt && (
            <>
              {error.resolvedBy?.name} <Time value={error.resolvedAt} form="moment" />
            </>
          ),
        },
        { term: text.silence, value: error.state === 'SILENCED' && <Silence error={error} /> },
        {
          term: text.ticket,
          value: error.ticket && (
            <Link
              href={`${base}/tickets${application}&open=${error.ticket.id}`}
              className={styles.link!}
              aria-label={`${text.ticket}: ${error.ticket.title}`}
            >
              <TicketStatus status={error.ticket.status} />
            </Link>
          ),
        },
        { term: text.occurrences, value: number(error.count) },
        { term: text.users, value: number(error.usersAffected, 1_000) },
        { term: text.regressions, value: error.regressionCount > 0 && number(error.regressionCount) },
        { term: text.first, value: <Time value={error.firstOccurrence} form="moment" /> },
        { term: text.last, value: <Time value={error.lastOccurrence} form="moment" /> },
        {
          term: words.application,
          value: (
            <Link href={`${base}${application}`} className={styles.link!}>
              {applicationName}
            </Link>
          ),
        },
        {
          term: words.module,
          value: (
            <Link
              href={`${base}${application}&module=${encodeURIComponent(error.module)}`}
              className={styles.link!}
            >
              {error.module}
            </Link>
          ),
        },
        { term: words.place, value: error.file && <span className={styles.place}>{placeOf(error)}</span> },
        {
          term: text.function,
          value: error.function && <span className={styles.place}>{error.function}</span>,
        },
        {
          term: text.endpoint,
          value: error.endpoint && [error.method, error.endpoint].filter(Boolean).join(' '),
        },
        { term: text.fingerprint, value: <Id value={error.hash} isShortened /> },
      ]}
    />
  )
}

/** When the silence ends; nothing for an error that is not silent. */
function Silence({ error }: { error: ErrorDetail }) {
  const text = useWords(errorDetailTexts)
  const language = useLanguage()
  const silence = silenceOf(error)
  if (!silence) return null
  if (silence.type === 'COUNT')
    return text.COUNT(countText(silence.count, language, Number.POSITIVE_INFINITY))
  if (silence.type !== 'DATE') return text[silence.type]
  return (
    <>
      {text.DATE} <Time value={silence.until} form="moment" />
    </>
  )
}

function History({ error }: { error: ErrorDetail }) {
  const text = useWords(errorDetailTexts)
  return (
    <section className={styles.part}>
      <h2 className={styles.partTitle}>{text.history}</h2>
      <ErrorHistory history={error.history} />
    </section>
  )
}
