import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './health.module.css'
import { type HealthCheck, worstOf } from './health.rules.ts'
import { checkTexts, healthTexts } from './health.words.ts'

/** The whole server in one sentence. */
export function HealthSummary({ checks }: { checks: readonly HealthCheck[] }) {
  const text = useWords(healthTexts)
  const language = useLanguage()
  const problems = checks.filter(({ state }) => state !== 'good')
  const names = problems.map(({ id }) => checkTexts[language][id].title)
  const worst = worstOf(checks.map(({ state }) => state))
  return (
    <div className={styles.note} aria-live="polite">
      <Notice kind={worst === 'good' ? 'done' : worst === 'watch' ? 'warn' : 'danger'}>
        {problems.length === 0 ? text.well : `${text.problems(problems.length)}: ${names.join(', ')}.`}
      </Notice>
    </div>
  )
}
