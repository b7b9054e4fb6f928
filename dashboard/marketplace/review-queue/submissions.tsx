import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { entryStatuses } from '#contract/marketplace/entries.ts'
import { listSubmissions, type Submission } from '#contract/marketplace/review-queue.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useList } from '../../data/read.ts'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Page } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import { EntryStatus } from '../submissions/entry-status.tsx'
import { FindingCounts } from './finding-counts.tsx'
import styles from './queue.module.css'
import { queueTexts } from './queue.words.ts'
import { queueInputOf } from './queue-search.ts'

/** The submissions of all organizations that wait for a decision, or those of one status. */
export function Submissions() {
  const text = useWords(queueTexts)
  const market = useWords(marketTexts)
  const navigate = useNavigate()
  const search = useSearch({ from: '/operator/submissions' })
  const list = useList(listSubmissions, queueInputOf(search), { staleMs: 0 })
  const columns = useMemo(() => columnsOf(text, market), [text, market])
  const hrefOf = ({ entryId }: Submission) => `/operator/submissions/${entryId}`
  const totalWords = (search.status ? text.totalOfStatus : text.total)(list.total ?? 0)
  return (
    <Page
      title={text.title}
      width="full"
      below={
        <FilterBar
          fields={[
            {
              id: 'status',
              label: text.statusFilter,
              values: entryStatuses.map(value => ({ value, label: market[value] })),
            },
          ]}
          filters={search.status ? { status: search.status } : {}}
          onChange={({ status }) => {
            const chosen = entryStatuses.find(one => one === status)
            void navigate({ to: '.', search: chosen ? { status: chosen } : {}, replace: true })
          }}
          end={list.total !== undefined && <Total count={list.total} label={totalWords} />}
        />
      }
    >
      <ListGrid
        label={text.title}
        columns={columns}
        list={list}
        rowKey={({ releaseId }) => releaseId}
        rowLabel={({ name }) => name}
        rowHref={hrefOf}
        onOpen={submission => void navigate({ href: hrefOf(submission) })}
        empty={
          <EmptyList
            isFiltered={search.status !== undefined}
            nothingFits={market.nothing}
            onClear={() => void navigate({ to: '.', search: {} })}
            title={text.empty}
          >
            {text.emptyAbout}
          </EmptyList>
        }
      />
    </Page>
  )
}

function columnsOf(
  text: (typeof queueTexts)['en'],
  market: (typeof marketTexts)['en'],
): Column<Submission>[] {
  return [
    {
      id: 'name',
      title: text.name,
      width: 'minmax(170px, 2fr)',
      cell: ({ name, isUpdate }) => (
        <span className={styles.name}>
          <span className={styles.nameText}>{name}</span>
          {isUpdate && <Tag>{text.isUpdate}</Tag>}
        </span>
      ),
    },
    { id: 'version', title: text.version, width: '80px', phone: 'end', cell: ({ version }) => version },
    { id: 'type', title: text.type, width: '92px', cell: ({ type }) => market[type] },
    {
      id: 'organization',
      title: text.organization,
      width: 'minmax(120px, 1fr)',
      phone: 'below',
      cell: ({ organizationName }) => organizationName,
    },
    { id: 'by', title: text.by, width: 'minmax(110px, 1fr)', cell: ({ submittedBy }) => submittedBy.name },
    {
      id: 'status',
      title: text.status,
      width: '136px',
      cell: ({ status }) => <EntryStatus status={status} />,
    },
    {
      id: 'findings',
      title: text.findings,
      width: '104px',
      phone: 'belowEnd',
      cell: ({ findingCounts }) => <FindingCounts {...findingCounts} />,
    },
    {
      id: 'reports',
      title: text.reports,
      width: '96px',
      align: 'end',
      cell: ({ openReports }) => openReports || noValue,
    },
    {
      id: 'since',
      title: text.waits,
      width: '104px',
      align: 'end',
      cell: ({ submittedAt }) => <Time value={submittedAt} />,
    },
  ]
}
