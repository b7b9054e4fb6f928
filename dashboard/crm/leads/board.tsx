import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { createLead, listLeads, searchLeads } from '#contract/crm/leads.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import type { LeadStatus as StatusOfLead } from '#contract/crm/shapes.ts'
import { moveLead } from '#contract/crm/team.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Board, type BoardColumn } from '../../parts/board.tsx'
import { Button } from '../../parts/button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Problem } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './board.module.css'
import { leadBoardTexts } from './board.words.ts'
import {
  type BoardSearch,
  boardHref,
  boardSearchOf,
  boardStatuses,
  columnInputOf,
  columnSearchOf,
} from './board-columns.ts'
import { CreateLeadButton } from './create-lead-button.tsx'
import { type Lead, nameOfLead, statusesFor } from './lead.ts'
import { statusTexts } from './lead.words.ts'
import { CreateLeadDialog } from './lead-dialogs.tsx'
import { useLeadFilterFields } from './lead-filters.tsx'
import { LeadStatus } from './lead-status.tsx'
import { leadListTexts } from './leads.words.ts'
import { useOwnerNames } from './use-leads.ts'
import { useMoveLead } from './use-move-lead.ts'
import { ViewSwitch } from './view-switch.tsx'
import { LeadViews } from './views.tsx'

const DisqualifyLeadDialog = late(() =>
  import('./disqualify-lead-dialog.tsx').then(dialog => dialog.DisqualifyLeadDialog),
)

/** The leads by status. */
export function LeadBoard() {
  const text = useWords(leadBoardTexts)
  const statusText = useWords(statusTexts)
  const language = useLanguage()
  const may = useMay()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/leads/board' })
  const [losing, setLosing] = useState<{ lead: Lead; onClose: () => void }>()
  const navigate = useNavigate()
  const move = useMoveLead()
  const columns = useColumns(search)
  const owners = useOwnerNames(columns.flatMap(({ cards }) => cards))
  const createText = useWords(actionTexts)['create-lead']
  const [isCreating, setCreating] = useState(false)
  const mayCreate = may(createLead)
  const create = () => setCreating(true)
  useCreateAction('create-lead', createText, text.title, mayCreate && create)

  async function moveTo(lead: Lead, to: StatusOfLead): Promise<string | undefined> {
    // the dialog shows its errors itself
    if (to === 'LOST') {
      await new Promise<void>(onClose => setLosing({ lead, onClose }))
      setLosing(undefined)
      return undefined
    }
    try {
      await move(lead, to)
      return undefined
    } catch (error) {
      await needErrorTexts(language)
      return textOfError(error, language)
    }
  }
  function obstacleOf(lead: Lead, to: string): string | undefined {
    if (lead.status === to || statusesFor([lead]).some(status => status === to)) return undefined
    if (lead.status === 'WON') return text.isConverted
    if (to === 'WON') return text.convertInstead
    if (lead.status === 'LOST') return text.isLost
    return text.notFrom(statusText[lead.status], statusText[to as StatusOfLead])
  }

  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <>
          <ViewSwitch of="leads" view="board" filters={search} />
          {mayCreate && <CreateLeadButton onPress={create} />}
        </>
      }
      below={
        <>
          <LeadViews
            search={search}
            hrefOf={shown => boardHref(address, shown)}
            onChange={({ view }) => {
              const { view: _former, ...filters } = search
              void navigate({ to: '.', search: { ...filters, ...(view && { view }) }, replace: true })
            }}
          />
          <BoardFilters search={search} owners={owners} />
        </>
      }
    >
      <Board
        label={text.title}
        columns={columns}
        cardKey={({ id }) => id}
        cardLabel={nameOfLead}
        cardHref={({ id }) => `/o/${encodeURIComponent(address)}/leads/${id}`}
        obstacleOf={obstacleOf}
        onMove={may(moveLead) ? (lead, to) => moveTo(lead, to as StatusOfLead) : undefined}
      >
        {lead => <LeadFacts lead={lead} owner={owners.get(lead.assigneeId ?? '')} />}
      </Board>
      {losing && <DisqualifyLeadDialog {...losing} />}
      {isCreating && <CreateLeadDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function LeadFacts({ lead, owner }: { lead: Lead; owner: string | undefined }) {
  const { company, score, updatedAt } = lead
  const text = useWords(leadBoardTexts)
  return (
    <>
      {company && company !== nameOfLead(lead) && <span className={styles.company}>{company}</span>}
      <span className={styles.facts}>
        <span className={styles.owner}>{owner}</span>
        {typeof score === 'number' && <span title={text.score}>{score}</span>}
        <Time value={updatedAt} />
      </span>
    </>
  )
}

/** A column for each status, each a list of its own. */
function useColumns(search: BoardSearch): BoardColumn<Lead>[] {
  const text = useWords(leadBoardTexts)
  const statusText = useWords(statusTexts)
  const language = useLanguage()
  const lists = {
    NEW: useColumn('NEW', search),
    CONTACTED: useColumn('CONTACTED', search),
    QUALIFIED: useColumn('QUALIFIED', search),
    NEGOTIATING: useColumn('NEGOTIATING', search),
    LOST: useColumn('LOST', search),
    WON: useColumn('WON', search),
  } satisfies Record<StatusOfLead, unknown>
  return boardStatuses.map(status => {
    const { items, error, reload, ...list } = lists[status]
    return {
      ...list,
      id: status,
      title: statusText[status],
      head: <LeadStatus status={status} />,
      cards: items,
      error: error && (
        <Problem
          title={textOfError(error, language)}
          action={<Button onPress={reload}>{text.again}</Button>}
        />
      ),
    }
  })
}

/** The leads with a status that the search finds, or that fit the other filters. */
function useColumn(status: StatusOfLead, search: BoardSearch) {
  const searching = columnSearchOf(status, search)
  const listed = useList(listLeads, columnInputOf(status, search), { enabled: searching === undefined })
  const found = useList(searchLeads, searching ?? { query: { q: '' } }, { enabled: searching !== undefined })
  return searching ? found : listed
}

function BoardFilters({ search, owners }: { search: BoardSearch; owners: ReadonlyMap<string, string> }) {
  const navigate = useNavigate()
  const { search: searchText } = useWords(leadListTexts)
  const fields = useLeadFilterFields(search, owners).filter(
    ({ id }) => id !== 'status' && id !== 'includeClosed',
  )
  const show = (shown: BoardSearch) => void navigate({ to: '.', search: shown, replace: true })
  return (
    <FilterBar
      fields={fields}
      filters={Object.fromEntries(Object.entries(search))}
      onChange={filters => show(boardSearchOf(filters))}
      start={
        <SearchField
          label={searchText}
          value={search.q ?? ''}
          maxLength={crmLimits.leadSearch}
          // a search knows no other filter
          onChange={q => show(q ? { q } : {})}
        />
      }
    />
  )
}
