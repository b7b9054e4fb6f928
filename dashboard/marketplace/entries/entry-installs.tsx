import { listEntryInstalls } from '#contract/marketplace/installs.ts'
import { textOfError } from '../../data/errors.ts'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Person } from '../../parts/person.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import styles from './entries.module.css'
import { entryTexts } from './entry.words.ts'

/** The copies of an entry in the organization. */
export function EntryInstalls({ entryId }: { entryId: string }) {
  const text = useWords(entryTexts)
  const market = useWords(marketTexts)
  const language = useLanguage()
  const { items, isLoading, error, reload, total, ...more } = useList(listEntryInstalls, {
    params: { id: entryId },
  })
  if (error)
    return (
      <Problem
        title={textOfError(error, language)}
        action={<Button onPress={reload}>{market.again}</Button>}
      />
    )
  if (isLoading) return <Skeleton rows={3} label={market.reading} />
  if (items.length === 0) return <p className={styles.quiet}>{text.noInstalls}</p>
  return (
    <>
      <ul className={styles.rows} aria-label={text.installsTab}>
        {items.map(({ installId, installedBy, installedVersion, customName, createdAt, updateAvailable }) => (
          <li key={installId}>
            <Person name={installedBy.name} />
            {customName && <span className={styles.quiet}>{customName}</span>}
            <span className={styles.end}>{text.installVersion(installedVersion)}</span>
            {updateAvailable && (
              <Status icon="retry" kind="warn">
                {text.updateAvailable}
              </Status>
            )}
            <Time value={createdAt} />
          </li>
        ))}
      </ul>
      <LoadMore {...more} shown={items.length} total={total} />
    </>
  )
}
