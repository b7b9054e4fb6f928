import type { Entry } from '#contract/marketplace/entries.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Rating } from '../../parts/stars.tsx'
import { Tag, Tags } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Steps } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import { releaseTexts } from '../release/release.words.ts'
import { Traits } from '../release/traits.tsx'
import styles from './entries.module.css'
import { entryTexts } from './entry.words.ts'
import { Publisher } from './entry-columns.tsx'

/** The facts of an entry that people weigh before they install it. */
export function EntryAbout({ entry }: { entry: Entry }) {
  const text = useWords(entryTexts)
  const market = useWords(marketTexts)
  const releaseText = useWords(releaseTexts)
  return (
    <>
      <section className={styles.part}>
        <p className={styles.summary}>{entry.description}</p>
        <div className={styles.line}>
          {entry.ratingAverage !== null && <Rating average={entry.ratingAverage} count={entry.ratingCount} />}
          <span className={styles.quiet}>
            {entry.installCount} {market.people(entry.installCount)}
          </span>
        </div>
        {entry.tags.length > 0 && (
          <Tags>
            {entry.tags.map(tag => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </Tags>
        )}
        <Facts
          facts={[
            { term: market.type, value: market[entry.type] },
            { term: market.category, value: market[entry.category] },
            { term: market.publisher, value: <Publisher {...entry.publisher} /> },
            { term: market.version, value: entry.version },
          ]}
        />
      </section>
      <section className={styles.part}>
        <h3 className={styles.partTitle}>{releaseText.does}</h3>
        <Traits release={entry} />
      </section>
      {entry.releaseNotes && (
        <section className={styles.part}>
          <h3 className={styles.partTitle}>{market.notes}</h3>
          <p className={styles.notes}>{entry.releaseNotes}</p>
        </section>
      )}
      <section className={styles.part}>
        <h3 className={styles.partTitle}>{text.chain}</h3>
        <p className={styles.quiet}>{text.chainAbout}</p>
        <EntryChain entry={entry} />
        <Facts facts={[{ term: releaseText.digest, value: <Id value={entry.digest} isShortened /> }]} />
      </section>
    </>
  )
}

/** How a release came from its author to the library of the person. */
function EntryChain({ entry }: { entry: Entry }) {
  const text = useWords(entryTexts)
  const { approvedAt, installed, submittedAt, publisher } = entry
  return (
    <Steps
      isVertical
      label={text.chain}
      steps={[
        {
          id: 'submitted',
          title: text.submittedStep,
          state: 'done',
          about: (
            <>
              <Publisher {...publisher} /> · <Time value={submittedAt} form="date" />
            </>
          ),
        },
        {
          id: 'approved',
          title: approvedAt ? text.approvedStep : text.waitingStep,
          state: approvedAt ? 'done' : 'next',
          about: approvedAt && <Time value={approvedAt} form="date" />,
        },
        {
          id: 'installed',
          title: text.installStep,
          state: installed ? 'done' : approvedAt ? 'next' : 'later',
          about: installed ? text.installedVersion(installed.installedVersion) : text.notInstalled,
        },
      ]}
    />
  )
}
