import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { listOperatedMails, mailStates } from '#contract/identity/health.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useList } from '../../data/read.ts'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import { kindText, type Mail, MailState } from './mail.tsx'
import { type MailSearch, mailQueryOf } from './mail-search.ts'
import styles from './mails.module.css'
import { mailKindTexts, mailTexts } from './mails.words.ts'

const MailSheet = late(() => import('./mail-sheet.tsx').then(sheet => sheet.MailSheet))

const pollMs = 5_000

type Change = { [Key in keyof MailSearch]?: MailSearch[Key] | undefined }

/** The mails that wait to be sent, and those that were given up (OPR-12). */
export function Mails() {
  const text = useWords(mailTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const search = useSearch({ from: '/operator/mails' })
  const query = mailQueryOf(search)
  const isFiltered = Object.keys(query).length > 0
  const list = useList(listOperatedMails, { query }, { staleMs: 0, pollMs })
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => columnsOf(text, language, isNarrow), [text, language, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  return (
    <Page
      title={text.title}
      width="full"
      below={
        <FilterBar
          fields={[
            {
              id: 'state',
              label: text.state,
              values: mailStates.map(value => ({ value, label: text[value] })),
            },
            {
              id: 'kind',
              label: text.kind,
              values: Object.entries(mailKindTexts).map(([value, label]) => ({
                value,
                label: label[language],
              })),
            },
          ]}
          filters={query}
          onChange={({ state, kind }) => change({ state: mailStates.find(one => one === state), kind })}
          end={list.total !== undefined && <Total count={list.total} label={text.total(list.total)} />}
        />
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <MailSheet
              key={search.open}
              mail={list.items[index]}
              isReading={list.isLoading}
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
          rowLabel={({ kind }) => kindText(kind, language)}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.nothing}
              onClear={() => change({ state: undefined, kind: undefined })}
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

type Texts = Readonly<
  Record<'kind' | 'state' | 'recipient' | 'attempts' | 'error' | 'queuedAt' | 'notTried', string>
>

function columnsOf(text: Texts, language: Language, isNarrow: boolean): Column<Mail>[] {
  const columns: Column<Mail>[] = [
    {
      id: 'kind',
      title: text.kind,
      width: 'minmax(200px, 2fr)',
      cell: ({ kind }) => kindText(kind, language),
    },
    {
      id: 'state',
      title: text.state,
      width: '140px',
      phone: 'end',
      cell: ({ state }) => <MailState state={state} />,
    },
    {
      id: 'recipient',
      title: text.recipient,
      width: 'minmax(150px, 1fr)',
      phone: 'below',
      cell: ({ recipient, attempts }) =>
        recipient ?? (attempts === 0 ? <span className={styles.quiet}>{text.notTried}</span> : noValue),
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    {
      id: 'error',
      title: text.error,
      width: 'minmax(180px, 3fr)',
      cell: ({ error }) => (error === null ? noValue : <span className={styles.quiet}>{error}</span>),
    },
    {
      id: 'attempts',
      title: text.attempts,
      width: '80px',
      align: 'end',
      cell: ({ attempts }) => attempts,
    },
    {
      id: 'queuedAt',
      title: text.queuedAt,
      width: '120px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ queuedAt }) => <Time value={queuedAt} />,
    },
  ]
}
