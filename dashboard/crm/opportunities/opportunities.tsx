import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { createOpportunity, listOpportunities, type Opportunity } from '#contract/crm/opportunities.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { ViewSwitch } from '../leads/view-switch.tsx'
import { opportunityTexts } from './opportunities.words.ts'
import { type OpportunitySearch, opportunityBoardSearchOf, opportunityInputOf } from './opportunity.rules.ts'
import { opportunityColumns } from './opportunity-columns.tsx'
import { CreateOpportunityButton, OpportunityDialog } from './opportunity-dialogs.tsx'
import { OpportunityFilters } from './opportunity-filters.tsx'
import { useOpportunityActions } from './use-opportunity-actions.ts'

const OpportunitySheet = late(() => import('./opportunity-sheet.tsx').then(sheet => sheet.OpportunitySheet))
type Open = 'none' | 'create' | { edited: Opportunity }
type Change = { [Key in keyof OpportunitySearch]?: OpportunitySearch[Key] | undefined }

/** The opportunities of the organization. */
export function Opportunities() {
  const text = useWords(opportunityTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/opportunities' })
  const [open, setOpen] = useState<Open>('none')
  const list = useList(listOpportunities, opportunityInputOf(search))
  const clientIds = useMemo(() => list.items.map(({ clientId }) => clientId), [list.items])
  const actionsOf = useOpportunityActions(edited => setOpen({ edited }))
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const hrefOf = ({ id }: Pick<Opportunity, 'id'>) => `/o/${encodeURIComponent(address)}/opportunities/${id}`
  const create = () => setOpen('create')
  const mayCreate = may(createOpportunity)
  useCreateAction('create-opportunity', actionText['create-opportunity'], text.title, mayCreate && create)
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => opportunityColumns(text, clientIds, isNarrow), [text, clientIds, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  const isFiltered = Object.keys(opportunityInputOf(search).query).length > 0
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <>
          <ViewSwitch of="opportunities" view="table" filters={opportunityBoardSearchOf(search)} />
          {mayCreate && <CreateOpportunityButton onPress={create} />}
        </>
      }
      below={
        <OpportunityFilters
          view="table"
          filters={search}
          onChange={change}
          end={list.total !== undefined && <Total count={list.total} label={text.total(list.total)} />}
        />
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <OpportunitySheet
              key={search.open}
              id={search.open}
              listed={list.items[index]}
              actionsOf={actionsOf}
              pageHref={hrefOf({ id: search.open })}
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
          rowLabel={({ title }) => title}
          rowHref={hrefOf}
          rowMenu={actionsOf}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.nothing}
              onClear={() => void navigate({ to: '.', search: {} })}
              title={text.empty}
              action={mayCreate && <Button onPress={create}>{actionText['create-opportunity']}</Button>}
            >
              {text.emptyAbout}
            </EmptyList>
          }
        />
      </WithSheet>
      {open === 'create' && (
        <OpportunityDialog onClose={() => setOpen('none')} onCreated={({ id }) => change({ open: id })} />
      )}
      {typeof open === 'object' && (
        <OpportunityDialog opportunity={open.edited} onClose={() => setOpen('none')} />
      )}
    </Page>
  )
}
