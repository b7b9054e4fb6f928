import type { SubmissionDetail } from '#contract/marketplace/review-queue.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useWords } from '../../words/words.ts'
import { partTitle } from '../release/release.ts'
import { releaseTexts } from '../release/release.words.ts'
import type { ReleaseSearch } from '../release/release-search.ts'
import styles from './queue.module.css'
import { partsChangedSince } from './queue.rules.ts'
import { queueTexts } from './queue.words.ts'

/** Says that another release was submitted while the operator was reading, and which parts of it are different. */
export function ChangedRelease({
  read,
  now,
  hrefOf,
  onRead,
}: {
  read: SubmissionDetail
  now: SubmissionDetail
  hrefOf: (search: ReleaseSearch) => string
  onRead: () => void
}) {
  const text = useWords(queueTexts)
  const releaseText = useWords(releaseTexts)
  const parts = partsChangedSince(read, now)
  return (
    <div className={styles.changed}>
      <Notice kind="warn">
        <p>{text.changedTitle(now.version)}</p>
        {parts.length === 0 ? (
          <p>{text.changedNothing}</p>
        ) : (
          <ul className={styles.changedParts}>
            {parts.map(part => (
              <li key={part}>
                <TextLink href={hrefOf({ part })}>{partTitle(part, releaseText)}</TextLink>
              </li>
            ))}
          </ul>
        )}
        <Button size="small" onPress={onRead}>
          {text.changedRead}
        </Button>
      </Notice>
    </div>
  )
}
