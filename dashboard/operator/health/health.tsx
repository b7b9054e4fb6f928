import { readHealth } from '#contract/identity/health.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { sizeText } from '../../parts/number-text.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { absoluteTime } from '../../parts/time-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { CheckList } from './check-list.tsx'
import styles from './health.module.css'
import { checksOf, type ServerHealth } from './health.rules.ts'
import { healthTexts } from './health.words.ts'
import { HealthSummary } from './health-summary.tsx'
import { JobTable } from './job-table.tsx'

const pollMs = 5_000

/** The state of the whole server, read each five seconds: what is not normal, and what to do (OPR-11). */
export function Health() {
  const text = useWords(healthTexts)
  const language = useLanguage()
  const { data, error } = useRead(readHealth, undefined, { pollMs, staleMs: 0 })
  return (
    <Page
      title={text.title}
      beside={
        data && (
          <span className={styles.quiet}>
            {text.at(absoluteTime(Date.parse(data.at), language, 'clock'))}
          </span>
        )
      }
    >
      {!data && !error && <Skeleton rows={8} label={text.reading} />}
      {!data && error && <Problem title={textOfError(error, language)} />}
      {data && (
        <div>
          {error && (
            <div className={styles.note}>
              <Notice kind="warn">{text.stale}</Notice>
            </div>
          )}
          <HealthSummary checks={checksOf(data)} />
          <CheckList health={data} />
          <JobTable health={data} />
          <Database health={data} />
        </div>
      )}
    </Page>
  )
}

function Database({ health: { database, version } }: { health: ServerHealth }) {
  const text = useWords(healthTexts)
  const language = useLanguage()
  return (
    <Section title={text.database}>
      <Facts
        facts={[
          { term: text.database, value: sizeText(database.bytes, language) },
          {
            term: text.connections,
            value: database.connections.map(({ name, count }) => `${name} ${count}`).join(' · '),
          },
          { term: text.version, value: version },
        ]}
      />
    </Section>
  )
}
