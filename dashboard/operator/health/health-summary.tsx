import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import styles from './health.module.css'
import { type HealthCheck, worstOf } from './health.rules.ts'
import { healthTexts } from './health.words.ts'

/** The whole server in one sentence. */
export function HealthSummary({ checks }: { checks: readonly HealthCheck[] }) {
  const text = useWords(healthTexts)
  const problems = checks.filter(({ state }) => state !== 'good')
  const worst = worstOf(checks.map(({ state }) => state))
  return (
    <div className={styles.note} aria-live="polite">
      <Notice kind={worst === 'good' ? 'done' : worst === 'watch' ? 'warn' : 'danger'}>
        {problems.length === 0 ? text.well : `${text.problems(problems.length)}.`}
      </Notice>
    </div>
  )
}
