import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { listEntryReports, reportStatuses } from '#contract/marketplace/review-queue.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useList } from '../../data/read.ts'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import { reportTexts } from './report.words.ts'
import { type Report, ReportStatus } from './report-status.tsx'
import { type ReportSearch, reportInputOf } from './reports.rules.ts'

const ReportSheet = late(() => import('./report-sheet.tsx').then(sheet => sheet.ReportSheet))

type Change = { [Key in keyof ReportSearch]?: ReportSearch[Key] | undefined }

/** The reports of entries, open ones first, for operators. */
export function Reports() {
  const text = useWords(reportTexts)
  const market = useWords(marketTexts)
  const navigate = useNavigate()
  const search = useSearch({ from: '/operator/reports' })
  const list = useList(listEntryReports, reportInputOf(search), { staleMs: 0 })
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => columnsOf(text, isNarrow), [text, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  const opened = list.items[index]
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
              values: reportStatuses.map(value => ({ value, label: text[value] })),
            },
            ...(search.entry
              ? [
                  {
                    id: 'entry',
                    label: text.entryFilter,
                    values: [{ value: search.entry, label: list.items[0]?.entryName ?? text.thisEntry }],
                  },
                ]
              : []),
          ]}
          filters={{
            ...(search.status && { status: search.status }),
            ...(search.entry && { entry: search.entry }),
          }}
          onChange={({ status, entry }) =>
            change({ status: reportStatuses.find(one => one === status), entry })
          }
          end={list.total !== undefined && <Total count={list.total} label={text.total(list.total)} />}
        />
      }
    >
      <WithSheet
        sheet={
          opened && (
            <ReportSheet
              key={opened.id}
              report={opened}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(list.items, index, ({ id }) => change({ open: id }))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowLabel={({ entryName }) => entryName}
          rowHref={({ id }) => `/operator/reports?open=${id}`}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={search.status !== undefined || search.entry !== undefined}
              nothingFits={market.nothing}
              onClear={() => void navigate({ to: '.', search: {} })}
              title={text.empty}
            >
              {text.emptyAbout}
            </EmptyList>
          }
        />
      </WithSheet>
    </Page>
  )
}

function columnsOf(text: (typeof reportTexts)['en'], isNarrow: boolean): Column<Report>[] {
  const columns: Column<Report>[] = [
    { id: 'entry', title: text.entry, width: 'minmax(160px, 1fr)', cell: ({ entryName }) => entryName },
    {
      id: 'reason',
      title: text.reason,
      width: 'minmax(200px, 2fr)',
      phone: 'below',
      cell: ({ reason }) => reason,
    },
    {
      id: 'status',
      title: text.status,
      width: '130px',
      phone: 'belowEnd',
      cell: ({ status }) => <ReportStatus status={status} />,
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    {
      id: 'received',
      title: text.received,
      width: '110px',
      align: 'end',
      phone: 'end',
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
  ]
}
