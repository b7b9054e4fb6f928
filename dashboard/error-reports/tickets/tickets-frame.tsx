import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { FilterBar, type FilterField, type Filters } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { Page } from '../../parts/page.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { ErrorTabs } from '../error-tabs.tsx'
import { useApplications } from '../groups/use-errors.ts'
import { type TicketSearch, ticketStatuses } from './ticket.rules.ts'
import styles from './tickets.module.css'
import { ticketTexts } from './tickets.words.ts'

const TicketSheet = late(() => import('./ticket-sheet.tsx').then(sheet => sheet.TicketSheet))

export type TicketSearchChange = { [Key in keyof TicketSearch]?: TicketSearch[Key] | undefined }

/** The frame of the tickets of one application: its choice, the views, and the sheet of the open ticket. */
export function TicketsFrame({
  view,
  search,
  total,
  neighbours,
  children,
}: {
  view: 'board' | 'table'
  search: TicketSearch
  total?: number | undefined
  neighbours?: { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined }
  /** The tickets of this application. */
  children: ReactNode
}) {
  const text = useWords(ticketTexts)
  const { address } = useOrganization()
  const navigate = useNavigate()
  const change = (changed: TicketSearchChange) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const path = `/o/${encodeURIComponent(address)}/errors/tickets`
  const query = search.application === undefined ? '' : `?application=${search.application}`
  const application = useTicketApplication(search)
  const fields: FilterField[] = [
    {
      id: 'status',
      label: text.statusFilter,
      values: ticketStatuses.map(value => ({ value, label: text[value].toLowerCase() })),
    },
  ]
  const setFilters = ({ status }: Filters) => change({ status: ticketStatuses.find(one => one === status) })
  return (
    <Page
      title={text.title}
      width="full"
      below={
        <>
          <ErrorTabs current="tickets" application={search.application} />
          <FilterBar
            fields={view === 'table' ? fields : []}
            filters={search.status ? { status: search.status } : {}}
            onChange={setFilters}
            start={
              <ApplicationChoice
                application={application}
                onChange={id => change({ application: id, open: undefined })}
              />
            }
            end={
              <>
                {total !== undefined && <Total count={total} label={text.total(total)} isLive />}
                <Segmented
                  label={text.view}
                  segments={[
                    { id: 'board', label: text.board, icon: 'board', href: `${path}${query}` },
                    { id: 'table', label: text.table, icon: 'table', href: `${path}/list${query}` },
                  ]}
                  current={view}
                />
              </>
            }
          />
        </>
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined &&
          application.id !== undefined && (
            <TicketSheet
              key={search.open}
              id={search.open}
              applicationId={application.id}
              onClose={() => change({ open: undefined })}
              onPrevious={neighbours?.onPrevious}
              onNext={neighbours?.onNext}
            />
          )
        }
      >
        <TicketsOf application={application}>{children}</TicketsOf>
      </WithSheet>
    </Page>
  )
}

/** The application whose tickets are shown: that of the address, else the first one. */
export function useTicketApplication({ application }: TicketSearch) {
  const { applications, isLoading, error } = useApplications()
  return { id: application ?? applications[0]?.id, applications, isLoading, error }
}

type TicketApplication = ReturnType<typeof useTicketApplication>

function ApplicationChoice({
  application: { id, applications },
  onChange,
}: {
  application: TicketApplication
  onChange: (id: string) => void
}) {
  const text = useWords(ticketTexts)
  if (applications.length === 0 || id === undefined) return null
  return (
    <div className={styles.choice}>
      <Choice
        label={text.application}
        isLabelHidden
        value={id}
        onChange={onChange}
        options={applications.map(({ id: value, name }) => ({ value, label: name }))}
      />
    </div>
  )
}

function TicketsOf({ application, children }: { application: TicketApplication; children: ReactNode }) {
  const text = useWords(ticketTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  if (application.id !== undefined) return children
  if (application.error) return <Problem title={textOfError(application.error, language)} />
  if (application.isLoading) return <Skeleton rows={6} label={text.reading} />
  return (
    <Empty
      title={text.noApplications}
      action={<ButtonLink href={`/o/${encodeURIComponent(address)}/errors`}>{text.toErrors}</ButtonLink>}
    />
  )
}
