import type { readErrorTab } from '#contract/error-reports/tab.ts'
import type { Reply } from '#contract/route.ts'
import { useOrganization } from '../../data/organization.tsx'
import { Facts } from '../../parts/facts.tsx'
import { countText } from '../../parts/number-text.ts'
import { Section } from '../../parts/page.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { severities } from '../groups/error.rules.ts'
import { ErrorSeverity } from '../groups/error-status.tsx'
import { shortTitleOf } from '../groups/use-error-changes.ts'
import styles from './reporting.module.css'
import { reportingTexts } from './reporting.words.ts'

const shownModules = 8
const searchedCharacters = 60

/** The errors of an application by state, severity and module, and the most frequent ones. Each count leads to them. */
export function ErrorStatistics({
  applicationId,
  statistics,
}: {
  applicationId: string
  statistics: Reply<typeof readErrorTab>['statistics']
}) {
  const text = useWords(reportingTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const linkTo = (count: number, query: Record<string, string>) => (
    <TextLink
      href={`/o/${encodeURIComponent(address)}/errors?${new URLSearchParams({ application: applicationId, ...query })}`}
    >
      {countText(count, language)}
    </TextLink>
  )
  const { unresolved, silenced, resolved, bySeverity, byModule, topErrors } = statistics
  const modules = Object.entries(byModule)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, shownModules)
  return (
    <Section title={text.errors}>
      <div className={styles.statistics}>
        <Facts
          facts={[
            { term: text.unresolved, value: linkTo(unresolved, {}) },
            { term: text.silenced, value: linkTo(silenced, { state: 'SILENCED' }) },
            { term: text.resolved, value: linkTo(resolved, { state: 'RESOLVED' }) },
          ]}
        />
        <section>
          <h3 className={styles.subtitle}>{text.bySeverity}</h3>
          <ul>
            {severities.map(severity => (
              <li key={severity} className={styles.line}>
                <ErrorSeverity severity={severity} />
                {linkTo(bySeverity[severity], { severity, state: 'ALL' })}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h3 className={styles.subtitle}>{text.byModule}</h3>
          <ul>
            {modules.map(([module, count]) => (
              <li key={module} className={styles.line}>
                <span className={styles.cut}>{module}</span>
                {linkTo(count, { module, state: 'ALL' })}
              </li>
            ))}
          </ul>
        </section>
      </div>
      {topErrors.length > 0 && (
        <>
          <h3 className={styles.subtitle}>{text.top}</h3>
          <ol>
            {topErrors.map(error => (
              <li key={error.hash} className={styles.line}>
                <TextLink
                  isCut
                  href={`/o/${encodeURIComponent(address)}/errors?${new URLSearchParams({ application: applicationId, search: error.message.replace(/\n.*/s, '').slice(0, searchedCharacters) })}`}
                >
                  {shortTitleOf(error)}
                </TextLink>
                <span>
                  {countText(error.count, language)}{' '}
                  <span className={styles.quiet}>{text.times(error.count)}</span>
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Section>
  )
}
