import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { listOperatedScopeRequests, scopeRequestStatuses } from '#contract/integrations/critical-scopes.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useList } from '../../data/read.ts'
import { EmptyList } from '../../parts/empty-list.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useWords } from '../../words/words.ts'
import { type Decision, RequestStatus, type ScopeRequest } from './scope-request.tsx'
import { type ScopeSearch, scopeQueryOf } from './scope-search.ts'
import styles from './scopes.module.css'
import { scopeRequestTexts } from './scopes.words.ts'

const ScopeRequestSheet = late(() =>
  import('./scope-request-sheet.tsx').then(sheet => sheet.ScopeRequestSheet),
)
const AnswerDialog = late(() => import('./answer-dialog.tsx').then(dialog => dialog.AnswerDialog))

/** No event tells operators about the requests of other organizations. */
const pollMs = 30_000

type Change = { [Key in keyof ScopeSearch]?: ScopeSearch[Key] | undefined }

/** The requests for critical scopes of all organizations, the oldest open one first (SCP-10). */
export function ScopeRequests() {
  const text = useWords(scopeRequestTexts)
  const navigate = useNavigate()
  const search = useSearch({ from: '/operator/scopes' })
  const [answered, setAnswered] = useState<{ request: ScopeRequest; decision: Decision }>()
  const list = useList(listOperatedScopeRequests, { query: scopeQueryOf(search) }, { staleMs: 0, pollMs })
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => columnsOf(text, isNarrow), [text, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  function menuOf(request: ScopeRequest): MenuEntry[] {
    if (request.status !== 'OPEN') return []
    return [
      {
        id: 'grant',
        label: text.grant,
        icon: 'check',
        onAction: () => setAnswered({ request, decision: 'GRANT' }),
      },
      {
        id: 'refuse',
        label: text.refuse,
        icon: 'close',
        isDangerous: true,
        onAction: () => setAnswered({ request, decision: 'REFUSE' }),
      },
    ]
  }
  return (
    <Page
      title={text.title}
      width="full"
      beside={list.total !== undefined && <Total count={list.total} label={text.total(list.total)} />}
      below={
        <Tabs
          label={text.status}
          current={search.status ?? 'OPEN'}
          tabs={scopeRequestStatuses.map(status => ({
            id: status,
            title: text[`${status}_TAB`],
            href: status === 'OPEN' ? '/operator/scopes' : `/operator/scopes?status=${status}`,
          }))}
        />
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <ScopeRequestSheet
              key={search.open}
              request={list.items[index]}
              isReading={list.isLoading}
              onAnswer={(request, decision) => setAnswered({ request, decision })}
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
          rowLabel={({ scope, applicationName }) => `${scope}, ${applicationName}`}
          rowMenu={menuOf}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={search.status !== undefined}
              nothingFits={text.nothing}
              clear={text.clear}
              onClear={() => change({ status: undefined })}
              title={text.empty}
            >
              {text.emptyAbout}
            </EmptyList>
          }
        />
      </WithSheet>
      {answered && <AnswerDialog {...answered} onClose={() => setAnswered(undefined)} />}
    </Page>
  )
}

type Texts = Readonly<Record<'scope' | 'purpose' | 'application' | 'organization' | 'status' | 'at', string>>

function columnsOf(text: Texts, isNarrow: boolean): Column<ScopeRequest>[] {
  const columns = [
    {
      id: 'scope',
      title: text.scope,
      width: 'minmax(200px, 2fr)',
      cell: ({ scope }) => <code className={styles.code}>{scope}</code>,
    },
    {
      id: 'application',
      title: text.application,
      width: 'minmax(180px, 2fr)',
      phone: 'below',
      cell: ({ applicationName, organizationName }) => (
        <>
          {applicationName} <span className={styles.quiet}>{organizationName}</span>
        </>
      ),
    },
    {
      id: 'at',
      title: text.at,
      width: '100px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ requestedAt }) => <Time value={requestedAt} />,
    },
  ] satisfies [Column<ScopeRequest>, Column<ScopeRequest>, Column<ScopeRequest>]
  if (isNarrow) return columns
  const [scope, application, at] = columns
  return [
    scope,
    application,
    {
      id: 'purpose',
      title: text.purpose,
      width: 'minmax(200px, 3fr)',
      cell: ({ purpose }) => <span className={styles.quiet}>{purpose}</span>,
    },
    {
      id: 'status',
      title: text.status,
      width: '120px',
      phone: 'end',
      cell: ({ status }) => <RequestStatus status={status} />,
    },
    at,
  ]
}
