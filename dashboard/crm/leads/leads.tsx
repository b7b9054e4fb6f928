import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { scoreLead } from '#contract/crm/lead-moves.ts'
import { createLead } from '#contract/crm/leads.ts'
import { changeLeads } from '#contract/crm/team.ts'
import { useCommands } from '../../data/commands.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Selection } from '../../parts/selection.tsx'
import { Empty } from '../../parts/states.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { boardSearchOf } from './board-columns.ts'
import { type Lead, nameOfLead } from './lead.ts'
import { leadActionTexts } from './lead-action.words.ts'
import { leadColumns } from './lead-columns.tsx'
import { CreateLeadDialog, LeadDialogs } from './lead-dialogs.tsx'
import { LeadFilterBar } from './lead-filters.tsx'
import { type LeadSearchChange, leadFiltersOf, listHref } from './lead-search.ts'
import { leadListTexts } from './leads.words.ts'
import { LeadsMenu } from './leads-menu.tsx'
import type { ChangedField, OpenDialog } from './open-dialog.ts'
import { useLeadActions } from './use-lead-actions.ts'
import { useLeads, useOwnerNames } from './use-leads.ts'
import { ViewSwitch } from './view-switch.tsx'
import { LeadViews } from './views.tsx'

const LeadSheet = late(() => import('./lead-sheet.tsx').then(sheet => sheet.LeadSheet))
const nothing: ReadonlySet<string> = new Set()

/** The leads of the organization: views, filters, and what can be done with one or many. */
export function Leads() {
  const text = useWords(leadListTexts)
  const actionText = useWords(actionTexts)
  const menuText = useWords(leadActionTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/leads' })
  const [open, setOpen] = useState<OpenDialog>({ kind: 'none' })
  const [selection, setSelection] = useState(nothing)
  const filters = leadFiltersOf(search)
  const { list, newCount, showNew } = useLeads(filters)
  const owners = useOwnerNames(list.items)
  const actionsOf = useLeadActions(setOpen)
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => leadColumns(text, owners, isNarrow), [text, owners, isNarrow])
  const change = (changed: Partial<LeadSearchChange>) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const openLead = (id: string | undefined) => change({ open: id })
  const index = list.items.findIndex(({ id }) => id === search.open)
  const hrefOf = ({ id }: Pick<Lead, 'id'>) => `/o/${encodeURIComponent(address)}/leads/${id}`

  /** The selected leads; without a selection the open one, or the one with the focus. */
  function chosenLeads(): readonly Lead[] {
    const selected = list.items.filter(({ id }) => selection.has(id))
    if (selected.length > 0) return selected
    const focused = document.activeElement?.closest<HTMLElement>('[data-row-key]')?.dataset.rowKey
    return list.items.filter(({ id }) => id === (focused ?? search.open))
  }
  function changeChosen(field: ChangedField): void {
    const leads = chosenLeads()
    if (leads.length > 0) setOpen({ kind: 'change', field, leads })
  }
  const create = () => setOpen({ kind: 'create' })
  const changes = [
    { key: 's', field: 'status', label: menuText.status, isAllowed: may(changeLeads) },
    { key: 'a', field: 'assigneeId', label: menuText.assigneeId, isAllowed: may(changeLeads) },
    { key: 't', field: 'temperature', label: menuText.temperature, isAllowed: may(scoreLead) },
  ] as const
  const shownChanges = changes.filter(({ isAllowed }) => isAllowed)
  useCommands(
    may(createLead)
      ? [{ id: 'create-lead', label: actionText['create-lead'], icon: 'plus', shortcut: 'c', action: create }]
      : [],
  )
  useShortcuts(
    {
      c: may(createLead) ? { label: actionText['create-lead'], action: create } : undefined,
      ...Object.fromEntries(
        shownChanges.map(({ key, field, label }) => [key, { label, action: () => changeChosen(field) }]),
      ),
    },
    text.title,
  )
  const isFiltered = Object.keys(filters).length > 0

  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <>
          <ViewSwitch of="leads" view="table" filters={boardSearchOf(search)} />
          <LeadsMenu status={search.status} />
          {may(createLead) && (
            <Button
              kind={isNarrow ? 'secondary' : 'primary'}
              icon="plus"
              shortcut="c"
              onPress={create}
              onHoverStart={CreateLeadDialog.preload}
              onFocus={CreateLeadDialog.preload}
            >
              {actionText['create-lead']}
            </Button>
          )}
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
          {...(shownChanges.length > 0 && { selection, onSelect: setSelection })}
          {...(search.q === undefined && {
            sort: `${search.orderBy ?? 'createdAt'} ${search.order ?? 'desc'}`,
            onSort: (sort: string) => {
              const [orderBy, order] = sort.split(' ')
              change(leadFiltersOf({ orderBy, order }))
            },
          })}
          empty={
            isFiltered ? (
              <Empty
                title={text.nothing}
                action={<Button onPress={() => void navigate({ to: '.', search: {} })}>{text.clear}</Button>}
              />
            ) : (
              <Empty
                title={text.empty}
                action={may(createLead) && <Button onPress={create}>{actionText['create-lead']}</Button>}
              >
                {text.emptyAbout}
              </Empty>
            )
          }
        />
        <Selection count={chosenCount(list.items, selection)} onClear={() => setSelection(nothing)}>
          {shownChanges.map(({ key, field, label }) => (
            <Button key={key} kind="quiet" shortcut={key} onPress={() => changeChosen(field)}>
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

/** A lead that left the list is not selected any more. */
function chosenCount(leads: readonly Lead[], selection: ReadonlySet<string>): number {
  return leads.filter(({ id }) => selection.has(id)).length
}
