import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Entry, readEntry, readEntryFile } from '#contract/marketplace/entries.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tag } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { WithMarketplace } from '../market-page.tsx'
import { marketTexts } from '../marketplace.words.ts'
import { placeFindings } from '../release/finding.rules.ts'
import { ReleaseReader } from '../release/release-reader.tsx'
import type { ReleaseSearch } from '../release/release-search.ts'
import styles from './entries.module.css'
import { entryTexts } from './entry.words.ts'
import { EntryAbout } from './entry-about.tsx'
import { type EntryTab, entryTabs } from './entry-tabs.ts'
import { useEntryActions } from './use-entry-actions.tsx'

const Reviews = lazy(() => import('../reviews/reviews.tsx').then(reviews => ({ default: reviews.Reviews })))
const EntryInstalls = lazy(() =>
  import('./entry-installs.tsx').then(installs => ({ default: installs.EntryInstalls })),
)
const from = '/o/$organization/marketplace/$entryId'

/** An entry: its whole release, readable before it is installed, its reviews and its copies. */
export function EntryPage() {
  return <WithMarketplace>{() => <ReadPage />}</WithMarketplace>
}

function ReadPage() {
  const text = useWords(entryTexts)
  const market = useWords(marketTexts)
  const language = useLanguage()
  const { entryId } = useParams({ from })
  const read = useRead(readEntry, { params: { id: entryId } })
  if (read.data) return <LoadedPage key={entryId} entry={read.data} />
  return (
    <Page title={text.entry}>
      {read.error ? (
        <Problem
          title={textOfError(read.error, language)}
          action={<Button onPress={() => void read.refetch()}>{market.again}</Button>}
        />
      ) : (
        <Skeleton rows={8} label={market.reading} />
      )}
    </Page>
  )
}

function LoadedPage({ entry }: { entry: Entry }) {
  const text = useWords(entryTexts)
  const market = useWords(marketTexts)
  const params = useParams({ from })
  const { tab = 'contents', ...release } = useSearch({ from })
  const navigate = useNavigate()
  const { buildLocation } = useRouter()
  const { primary, menu, dialogs } = useEntryActions(entry)
  const hrefOf = (search: ReleaseSearch & { tab?: EntryTab }) =>
    buildLocation({ to: from, params, search }).href
  const counts: Partial<Record<EntryTab, number>> = { reviews: entry.ratingCount }
  return (
    <Page
      title={entry.name}
      beside={
        <>
          <span className={styles.quiet}>{entry.version}</span>
          {entry.status !== 'APPROVED' && <Tag kind="warn">{market[entry.status]}</Tag>}
        </>
      }
      width="full"
      actions={
        <>
          <MoreMenu label={market.actions} groups={[{ id: 'actions', entries: menu }]} />
          {primary}
        </>
      }
      below={
        <Tabs
          label={text.entry}
          current={tab}
          tabs={entryTabs.map(id => ({
            id,
            title: { contents: text.contents, reviews: text.reviews, installs: text.installsTab }[id],
            href: hrefOf(id === 'contents' ? {} : { tab: id }),
            ...(counts[id] !== undefined && { count: counts[id] }),
          }))}
        />
      }
    >
      <div className={styles.frame}>
        {tab === 'contents' ? (
          <ReleaseReader
            release={entry}
            findings={placeFindings(entry.findings ?? [])}
            search={release}
            hrefOf={hrefOf}
            onOpen={search => void navigate({ to: '.', search, replace: true })}
            readFile={{
              operation: readEntryFile,
              inputOf: path => ({ params: { id: entry.id }, query: { path } }),
            }}
          />
        ) : (
          <div className={styles.wrap}>
            <Suspense fallback={<Skeleton rows={5} label={market.reading} />}>
              {tab === 'reviews' ? <Reviews entry={entry} /> : <EntryInstalls entryId={entry.id} />}
            </Suspense>
          </div>
        )}
        <aside className={styles.aside} aria-label={text.entry}>
          <EntryAbout entry={entry} />
        </aside>
      </div>
      {dialogs}
    </Page>
  )
}
