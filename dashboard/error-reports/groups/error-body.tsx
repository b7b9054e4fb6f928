import type { ReactNode } from 'react'
import { useIsPhone } from '../../parts/phone.ts'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { regressionOf } from './error.rules.ts'
import { type ErrorDetail, restOf, titleOf } from './error.ts'
import styles from './error-body.module.css'
import { ErrorChart } from './error-chart.tsx'
import { errorDetailTexts } from './error-details.words.ts'
import { ErrorFacts } from './error-facts.tsx'
import { ErrorHistory } from './error-history.tsx'
import { ErrorSamples } from './error-samples.tsx'

/** A page has room for a title of about so many characters beside its actions. */
const shownTitle = 80

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
  const isPhone = useIsPhone()
  // the head of the page cuts a long title
  const isTitleCut = isPage && (isPhone || titleOf(error).length > shownTitle)
  const rest = isTitleCut ? error.message : restOf(error)
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

function History({ error }: { error: ErrorDetail }) {
  const text = useWords(errorDetailTexts)
  return (
    <section className={styles.part}>
      <h2 className={styles.partTitle}>{text.history}</h2>
      <ErrorHistory history={error.history} />
    </section>
  )
}
