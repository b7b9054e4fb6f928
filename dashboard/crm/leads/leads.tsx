import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { createLead } from '#contract/crm/leads.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Selection } from '../../parts/selection.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { boardSearchOf } from './board-columns.ts'
import { CreateLeadButton } from './create-lead-button.tsx'
import { type Lead, nameOfLead } from './lead.ts'
import { leadColumns } from './lead-columns.tsx'
import { LeadDialogs } from './lead-dialogs.tsx'
import { LeadFilterBar } from './lead-filters.tsx'
import { type LeadSearchChange, leadFiltersOf, listHref } from './lead-search.ts'
import { leadListTexts } from './leads.words.ts'
import { LeadsMenu } from './leads-menu.tsx'
import type { OpenDialog } from './open-dialog.ts'
import { useLeadActions } from './use-lead-actions.ts'
import { useLeadChanges } from './use-lead-changes.ts'
import { useLeads, useOwnerNames } from './use-leads.ts'
import { ViewSwitch } from './view-switch.tsx'
import { LeadViews } from './views.tsx'

const LeadSheet = late(() => import('./lead-sheet.tsx').then(sheet => sheet.LeadSheet))

/** The leads of the organization: views, filters, and what can be done with one or many. */
export function Leads() {
  const text = useWords(leadListTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/leads' })
  const [open, setOpen] = useState<OpenDialog>({ kind: 'none' })
  const filters = leadFiltersOf(search)
  const { list, newCount, showNew } = useLeads(filters)
  const owners = useOwnerNames(list.items)
  const actionsOf = useLeadActions(setOpen)
  const { changes, selection, select, selected, clear } = useLeadChanges(list.items, search.open, setOpen)
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => leadColumns(text, owners, isNarrow), [text, owners, isNarrow])
  const change = (changed: Partial<LeadSearchChange>) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const openLead = (id: string | undefined) => change({ open: id })
  const index = list.items.findIndex(({ id }) => id === search.open)
  const hrefOf = ({ id }: Pick<Lead, 'id'>) => `/o/${encodeURIComponent(address)}/leads/${id}`

  const create = () => setOpen({ kind: 'create' })
  const mayCreate = may(createLead)
  const keys = Object.fromEntries(changes.map(({ key, ...shortcut }) => [key, shortcut]))
  useCreateAction('create-lead', actionText['create-lead'], text.title, mayCreate && create, keys)
  const isFiltered = Object.keys(filters).length > 0

  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <>
          <ViewSwitch of="leads" view="table" filters={boardSearchOf(search)} />
          <LeadsMenu status={search.status} />
          {mayCreate && <CreateLeadButton isSecondary={isNarrow} onPress={create} />}
        </>
      }
      below={
        <>
          <LeadViews search={search} hrefOf={shown => listHref(address, shown)} onChange={change} />
          <LeadFilterBar search={search} owners={owners} total={list.total} onChange={change} />
        </>
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <LeadSheet
              key={search.open}
              leadId={search.open}
              onClose={() => openLead(undefined)}
              {...neighboursOf(list.items, index, ({ id }) => openLead(id))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowLabel={nameOfLead}
          rowHref={hrefOf}
          rowMenu={actionsOf}
          onOpen={({ id }) => openLead(id)}
          current={search.open}
          newCount={newCount}
          onShowNew={showNew}
          {...(changes.length > 0 && { selection, onSelect: select })}
          {...(search.q === undefined && {
            sort: `${search.orderBy ?? 'createdAt'} ${search.order ?? 'desc'}`,
            onSort: (sort: string) => {
              const [orderBy, order] = sort.split(' ')
              change(leadFiltersOf({ orderBy, order }))
            },
          })}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.nothing}
              onClear={() => void navigate({ to: '.', search: {} })}
              title={text.empty}
              action={mayCreate && <Button onPress={create}>{actionText['create-lead']}</Button>}
            >
              {text.emptyAbout}
            </EmptyList>
          }
        />
        <Selection count={selected.length} onClear={clear}>
          {changes.map(({ key, label, action }) => (
            <Button key={key} kind="quiet" shortcut={key} onPress={action}>
              {label}
            </Button>
          ))}
        </Selection>
      </WithSheet>
      <LeadDialogs
        open={open}
        onClose={() => setOpen({ kind: 'none' })}
        onCreated={openLead}
        onErased={() => openLead(undefined)}
      />
    </Page>
  )
}
