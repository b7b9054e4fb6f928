import { type LeadSyncStatus, readLeadSyncStatus } from '#contract/crm/lead-sync-status.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { Card } from '../../parts/card.tsx'
import { Facts } from '../../parts/facts.tsx'
import { countText } from '../../parts/number-text.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './leads.module.css'
import { syncTexts } from './sync.words.ts'

type Reader = LeadSyncStatus['applications'][number]

/** No event announces that an application has read. */
const pollMs = 15_000

/** How far each application has read the changes of leads (SYNC-12). */
export function LeadSync() {
  const text = useWords(syncTexts)
  const language = useLanguage()
  const { data, error } = useRead(readLeadSyncStatus, undefined, { staleMs: 0, pollMs })
  return (
    <Page title={text.title}>
      {data ? (
        <div className={styles.stack}>
          <p className={styles.quiet}>{text.about}</p>
          <Facts
            facts={[
              {
                term: text.lastChange,
                value: data.lastChangeAt && <Time value={data.lastChangeAt} isFocusable />,
              },
              data.applications.length > 0 && {
                term: text.resets,
                value: <Time value={data.resetsAt} isFocusable />,
              },
            ]}
          />
          {data.applications.map(reader => (
            <ReaderCard key={reader.applicationId} reader={reader} />
          ))}
          {data.applications.length === 0 && <Empty title={text.none}>{text.noneAbout}</Empty>}
        </div>
      ) : error ? (
        <Problem title={textOfError(error, language)} />
      ) : (
        <Skeleton rows={4} label={text.reading} />
      )}
    </Page>
  )
}

function ReaderCard({ reader }: { reader: Reader }) {
  const text = useWords(syncTexts)
  const language = useLanguage()
  const { name, lastSyncAt, behindSince, callsLeft } = reader
  return (
    <Card title={name}>
      <Facts
        facts={[
          { term: text.state, value: <ReaderState reader={reader} /> },
          { term: text.since, value: behindSince && <Time value={behindSince} isFocusable /> },
          { term: text.lastSync, value: lastSyncAt && <Time value={lastSyncAt} isFocusable /> },
          {
            term: text.left,
            value: callsLeft
              .map(
                ({ calls, left, limit }) =>
                  `${text.ofLimit(countText(left, language), countText(limit, language))} ${text[calls]}`,
              )
              .join(' · '),
          },
        ]}
      />
    </Card>
  )
}

function ReaderState({ reader: { isActive, changesBehind } }: { reader: Reader }) {
  const text = useWords(syncTexts)
  const language = useLanguage()
  if (!isActive)
    return (
      <Status icon="blocked" kind="quiet">
        {text.inactive}
      </Status>
    )
  if (changesBehind === null)
    return (
      <Status icon="dashed" kind="quiet">
        {text.never}
      </Status>
    )
  if (changesBehind === 0)
    return (
      <Status icon="done" kind="done">
        {text.upToDate}
      </Status>
    )
  return (
    <Status icon="clock" kind="warn">
      {text.behind(countText(changesBehind, language, crmLimits.leadChangesCounted))}
    </Status>
  )
}
