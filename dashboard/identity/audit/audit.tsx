import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { exportAudit, listAudit, verifyAudit } from '#contract/identity/audit-log.ts'
import type { Input } from '#contract/route.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { useDownload } from '../../data/use-download.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import type { Column } from '../../parts/grid.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { WithSheet } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import { deviceOf } from '../person/device.ts'
import { Actor } from './actor.tsx'
import styles from './audit.module.css'
import { clientText, fieldText, momentsOf, operationText } from './audit.rules.ts'
import { auditTexts } from './audit.words.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditSheet } from './audit-sheet.tsx'
import { ChainResult } from './chain-check.tsx'
import type { AuditSearch, AuditSearchChange, Entry } from './entry.ts'
import { useNewEntries } from './new-entries.ts'

/** How often new entries are looked for: no event announces them. */
const pollMs = 30_000

/** Everything that was changed in the organization: by whom, when and from where. */
export function Audit() {
  return <AuditLog search={useSearch({ from: '/o/$organization/settings/audit' })} />
}

/** The log with the filters of its address; `about` is a note above the entries. */
export function AuditLog({
  search: { open, ...search },
  title,
  about,
}: {
  search: AuditSearch
  title?: string
  about?: ReactNode
}) {
  const text = useWords(auditTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { from, to, ...ids } = search
  const filters = { ...ids, ...momentsOf({ from, to }) }
  const isFiltered = Object.keys(filters).length > 0
  const log = useList(listAudit, { query: { limit: 50, ...filters } }, { staleMs: 0, pollMs })
  const { shown, newCount, showNew } = useNewEntries(log.items, JSON.stringify(filters))
  const columns = useMemo(() => columnsOf(text, language), [text, language])
  const check = useAction(verifyAudit, { refreshes: [] })
  const change = (changed: AuditSearchChange) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const index = shown.findIndex(({ seq }) => seq === open)
  return (
    <Page
      title={title ?? text.title}
      width="full"
      actions={
        <AuditActions filters={filters} isChecking={check.isPending} onCheck={() => check.mutate({})} />
      }
      below={
        <>
          {about}
          <AuditFilters search={search} onChange={change} />
        </>
      }
    >
      <WithSheet
        sheet={
          open !== undefined && (
            <AuditSheet
              key={open}
              seq={open}
              entry={shown[index]}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(shown, index, ({ seq }) => change({ open: seq }))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={{ ...log, items: shown }}
          newCount={newCount}
          onShowNew={showNew}
          rowKey={({ seq }) => String(seq)}
          rowLabel={({ operation, subjectName }) =>
            [operationText(operation, language) ?? operation, subjectName].filter(Boolean).join(', ')
          }
          onOpen={({ seq }) => change({ open: seq })}
          current={open === undefined ? undefined : String(open)}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.nothing}
              onClear={() => void navigate({ to: '.', search: {} })}
              title={text.empty}
            />
          }
        />
      </WithSheet>
      <ChainResult result={check.data} error={check.error} onClose={check.reset} />
    </Page>
  )
}

/** Checks the chain of all entries, and downloads those that the filters find. */
function AuditActions({
  filters,
  isChecking,
  onCheck,
}: {
  filters: Input<typeof exportAudit>['query']
  isChecking: boolean
  onCheck: () => void
}) {
  const text = useWords(auditTexts)
  const may = useMay()
  const isPhone = useIsPhone()
  const download = useDownload(exportAudit, 'audit-log.csv')
  const saveFile = () =>
    download.mutate({ query: filters }, { toast: () => text.downloaded, toastsFailure: true })
  const actions = [
    {
      isAllowed: may(verifyAudit),
      id: 'check',
      label: text.check,
      icon: 'operator' as const,
      isBusy: isChecking,
      onAction: onCheck,
    },
    {
      isAllowed: may(exportAudit),
      id: 'download',
      label: text.download,
      icon: 'download' as const,
      isBusy: download.isPending,
      onAction: saveFile,
    },
  ].filter(({ isAllowed }) => isAllowed)
  if (isPhone) return <MoreMenu label={text.actions} groups={[{ id: 'actions', entries: actions }]} />
  return actions.map(({ id, label, icon, onAction, isBusy }) => (
    <Button key={id} icon={icon} isBusy={isBusy} onPress={onAction}>
      {label}
    </Button>
  ))
}

function columnsOf(
  text: Record<'when' | 'who' | 'what' | 'changed' | 'ip' | 'client' | 'commandLine', string>,
  language: Language,
): Column<Entry>[] {
  return [
    {
      id: 'what',
      title: text.what,
      width: 'minmax(180px, 3fr)',
      cell: ({ operation, subjectName }) => (
        <>
          {operationText(operation, language) ?? <code className={styles.code}>{operation}</code>}
          {subjectName !== null && <span className={styles.quiet}> {subjectName}</span>}
        </>
      ),
    },
    {
      id: 'who',
      title: text.who,
      width: 'minmax(180px, 2fr)',
      phone: 'below',
      cell: entry => <Actor entry={entry} />,
    },
    {
      id: 'changed',
      title: text.changed,
      width: 'minmax(120px, 2fr)',
      cell: ({ changed }) => (
        <span className={styles.quiet}>
          {[...new Set(changed.map(field => fieldText(field, language)))].join(', ')}
        </span>
      ),
    },
    {
      id: 'ip',
      title: text.ip,
      width: '130px',
      cell: ({ ip }) => <code className={styles.code}>{ip}</code>,
    },
    {
      id: 'client',
      title: text.client,
      width: 'minmax(152px, 1fr)',
      cell: ({ client }) => deviceOf(client) ?? clientText(client, text.commandLine),
    },
    {
      id: 'when',
      title: text.when,
      width: '90px',
      align: 'end',
      phone: 'end',
      cell: ({ at }) => <Time value={at} />,
    },
  ]
}
