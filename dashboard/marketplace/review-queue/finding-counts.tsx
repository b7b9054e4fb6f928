import type { Submission } from '#contract/marketplace/review-queue.ts'
import { Icon } from '../../parts/icon.tsx'
import { Spoken } from '../../parts/spoken.tsx'
import { useWords } from '../../words/words.ts'
import { findingTexts } from '../release/finding.words.ts'
import styles from './queue.module.css'

const icons = { block: 'blocked', warn: 'errors', note: 'info' } as const

/** How many findings of each severity the checks left; a tick without any. */
export function FindingCounts(counts: Submission['findingCounts']) {
  const text = useWords(findingTexts)
  const words = { block: text.blocks, warn: text.warns, note: text.notes }
  const shown = (['block', 'warn', 'note'] as const).filter(severity => counts[severity] > 0)
  if (shown.length === 0)
    return (
      <span className={styles.clean}>
        <Icon name="check" />
        <Spoken>{text.none}</Spoken>
      </span>
    )
  return (
    <span className={styles.counts}>
      {shown.map(severity => (
        <span key={severity} className={styles[severity]} title={`${counts[severity]} ${words[severity]}`}>
          <Icon name={icons[severity]} />
          {counts[severity]}
          <Spoken> {words[severity]}</Spoken>
        </span>
      ))}
    </span>
  )
}
