import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type BudgetSummary, budgetStatuses, createBudget, listBudgets } from '#contract/crm/budgets.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { columnsOf } from './budget-columns.tsx'
import { type BudgetSearch, budgetQueryOf } from './budget-search.ts'
import { BudgetTotals } from './budget-totals.tsx'
import { budgetTexts } from './budgets.words.ts'
import { useClientNames } from './client-name.tsx'
import { useBudgetActions } from './use-budget-actions.ts'

const NewBudgetDialog = late(() => import('./new-budget-dialog.tsx').then(dialog => dialog.NewBudgetDialog))
const CancelBudgetDialog = late(() =>
  import('./cancel-budget-dialog.tsx').then(dialog => dialog.CancelBudgetDialog),
)
const BudgetSheet = late(() => import('./budget-sheet.tsx').then(sheet => sheet.BudgetSheet))

type Open = { kind: 'none' } | { kind: 'new' } | { kind: 'cancel'; budget: BudgetSummary }

/** The budgets of the organization. */
export function Budgets() {
  const text = useWords(budgetTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/budgets' })
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const budgets = useList(listBudgets, { query: budgetQueryOf(search) })
  const change = (changed: { [Key in keyof BudgetSearch]?: BudgetSearch[Key] | undefined }) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const create = may(createBudget) ? () => setOpen({ kind: 'new' }) : undefined
  useCreateAction('create-budget', actionText['create-budget'], text.title, create)
  const actionsOf = useBudgetActions(budget => setOpen({ kind: 'cancel', budget }))
  const hrefOf = ({ id }: BudgetSummary) => `/o/${encodeURIComponent(address)}/budgets/${id}`
  const columns = useMemo(() => columnsOf(text, budgets.items), [text, budgets.items])
  const index = budgets.items.findIndex(({ id }) => id === search.open)
  const isFiltered = Boolean(search.search || search.status || search.client)
  const newBudget = create && (
    <CreateButton dialog={NewBudgetDialog} onPress={create}>
      {actionText['create-budget']}
    </CreateButton>
  )

  return (
    <Page
      title={text.title}
      width="full"
      actions={newBudget}
      below={<Filters search={search} change={change} budgets={budgets} />}
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <BudgetSheet
              key={search.open}
              budgetId={search.open}
              pageHref={`/o/${encodeURIComponent(address)}/budgets/${search.open}`}
              menuOf={actionsOf}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(budgets.items, index, ({ id }) => change({ open: id }))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={budgets}
          rowKey={({ id }) => id}
          rowLabel={({ code }) => code}
          rowHref={hrefOf}
          rowMenu={budget => [
            {
              id: 'client',
              label: text.ofClient,
              icon: 'clients',
              onAction: () => change({ client: budget.clientId }),
            },
            ...actionsOf(budget),
          ]}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.noneFits}
              onClear={() => change({ search: undefined, status: undefined, client: undefined })}
              title={text.none}
              action={create && <Button onPress={create}>{actionText['create-budget']}</Button>}
            />
          }
        />
      </WithSheet>
      {open.kind === 'new' && (
        <NewBudgetDialog {...(search.client && { clientId: search.client })} onClose={close} />
      )}
      {open.kind === 'cancel' && <CancelBudgetDialog budget={open.budget} onClose={close} />}
    </Page>
  )
}

function Filters({
  search: { search, status, client },
  change,
  budgets,
}: {
  search: BudgetSearch
  change: (changed: { [Key in keyof BudgetSearch]?: BudgetSearch[Key] | undefined }) => void
  budgets: ReturnType<typeof useList<typeof listBudgets>>
}) {
  const text = useWords(budgetTexts)
  const names = useClientNames([
    ...(client ? [client] : []),
    ...budgets.items.map(({ clientId }) => clientId),
  ])
  return (
    <FilterBar
      fields={[
        {
          id: 'status',
          label: text.statusFilter,
          values: budgetStatuses.map(value => ({ value, label: text[value] })),
        },
        {
          id: 'client',
          label: text.clientFilter,
          values: [...names].map(([value, label]) => ({ value, label })),
        },
      ]}
      filters={{ ...(status && { status }), ...(client && { client }) }}
      onChange={filters =>
        change({
          status: budgetStatuses.find(value => value === filters.status),
          client: filters.client,
        })
      }
      start={
        <SearchField
          label={text.search}
          value={search ?? ''}
          onChange={value => change({ search: value || undefined })}
        />
      }
      end={<BudgetTotals {...budgets} />}
    />
  )
}
