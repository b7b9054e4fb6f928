import { Link } from '@tanstack/react-router'
import { readHealth } from '#contract/identity/health.ts'
import { listOrganizations } from '#contract/identity/operator.ts'
import { readOverview } from '#contract/identity/overview.ts'
import { listEntryReports, listSubmissions } from '#contract/marketplace/review-queue.ts'
import { textOfError } from '../../data/errors.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { linkTo } from '../../data/link-to.ts'
import { useRead } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { countText } from '../../parts/number-text.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { checksOf, type ServerHealth } from '../health/health.rules.ts'
import { HealthSummary } from '../health/health-summary.tsx'
import styles from './start.module.css'
import { startTexts } from './start.words.ts'
import { type OperatorWaiting, operatorWaiting } from './waiting.ts'

const one = { query: { limit: 1 } }
const pollMs = 5_000

/** The first screen of operators: what waits for one of them, and how the server is. */
export function OperatorStart() {
  const text = useWords(startTexts)
  const language = useLanguage()
  const health = useRead(readHealth, undefined, { pollMs, staleMs: 0 })
  const overview = useRead(readOverview, undefined, { staleMs: 0 })
  const submissions = useRead(listSubmissions, one, { staleMs: 0 })
  const reports = useRead(listEntryReports, one, { staleMs: 0 })
  const reads = [health, overview, submissions, reports]
  const error = reads.find(read => read.error && !read.data)?.error
  const isReading = reads.some(read => read.isPending)
  const lines = operatorWaiting({
    overview: overview.data,
    submissions: submissions.data?.total,
    reports: reports.data?.total,
    health: health.data,
  })
  return (
    <Page title={text.title} width="full">
      <div className={styles.start}>
        <div className={styles.main}>
          {error && <Problem title={textOfError(error, language)} />}
          {isReading && <Skeleton label={text.reading} rows={5} />}
          {!isReading && !error && lines.length === 0 && (
            <Empty title={text.nothing}>{text.nothingAbout}</Empty>
          )}
          {lines.length > 0 && !isReading && (
            <section>
              <h2 className={styles.heading}>{text.waiting}</h2>
              <ul className={styles.lines}>
                {lines.map(line => (
                  <li key={line.kind}>
                    <WaitingLine line={line} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        {health.data && <Server health={health.data} />}
      </div>
    </Page>
  )
}

function WaitingLine({ line: { kind, count, route, search, isBad } }: { line: OperatorWaiting }) {
  const text = useWords(startTexts)
  const language = useLanguage()
  const href = useKnownHref()(route, search)
  const content = (
    <>
      <b className={`${styles.count} ${isBad ? styles.bad : ''}`}>{countText(count, language)}</b>
      <span className={styles.words}>
        <span className={styles.what}>{text[kind](count)}</span>
        <span className={styles.about}>{text[`${kind}About`]}</span>
      </span>
      {href !== undefined && <Icon name="chevronRight" />}
    </>
  )
  if (href === undefined) return <div className={styles.line}>{content}</div>
  return (
    <Link {...linkTo(href)} className={styles.line}>
      {content}
    </Link>
  )
}

/** How the server is, in a few facts. */
function Server({ health }: { health: ServerHealth }) {
  const text = useWords(startTexts)
  const language = useLanguage()
  const organizations = useRead(listOrganizations, one)
  return (
    <aside className={styles.side} aria-label={text.server}>
      <header className={styles.sideHead}>
        <h2 className={styles.heading}>{text.server}</h2>
        <TextLink href="/operator/health">{text.seeHealth}</TextLink>
      </header>
      <HealthSummary checks={checksOf(health)} />
      <Facts
        facts={[
          {
            term: text.organizations,
            value: organizations.data && (
              <TextLink href="/operator/organizations">
                {countText(organizations.data.total, language)}
              </TextLink>
            ),
          },
          { term: text.version, value: health.version },
        ]}
      />
    </aside>
  )
}
