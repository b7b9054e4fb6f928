import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Client, listClients } from '#contract/crm/clients.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import { countryName } from '../countries.ts'
import { type CustomerSearch, customerQueryOf } from '../customer-search.ts'
import { CustomerTabs } from '../customer-tabs.tsx'
import { useClientActions } from './client-actions.tsx'
import { clientTexts } from './clients.words.ts'
import { ClientsMenu } from './clients-menu.tsx'

const ClientSheet = late(() => import('./client-sheet.tsx').then(sheet => sheet.ClientSheet))

type Change = { [Key in keyof CustomerSearch]: CustomerSearch[Key] | undefined }

/** The clients of the organization by name. */
export function Clients() {
  const text = useWords(clientTexts)
  const actionText = useWords(actionTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/clients' })
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const clients = useList(listClients, { query: customerQueryOf(search) })
  const { create, menuOf, editOf, preload, dialog } = useClientActions(({ id }) => change({ open: id }))
  useCreateAction('create-client', actionText['create-client'], text.title, create)
  const columns = useMemo(() => columnsOf(text, language), [text, language])
  const pageOf = ({ id }: { id: string }) => `/o/${encodeURIComponent(address)}/clients/${id}`
  const index = clients.items.findIndex(({ id }) => id === search.open)
  const isFiltered = search.archived || search.search !== undefined
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <>
          <ClientsMenu />
          {create && (
            <CreateButton dialog={{ preload }} onPress={create}>
              {actionText['create-client']}
            </CreateButton>
          )}
        </>
      }
      below={
        <>
          <CustomerTabs current="clients" />
          <ClientFilters search={search} total={clients.total} onChange={change} />
        </>
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <ClientSheet
              key={search.open}
              clientId={search.open}
              client={clients.items[index]}
              editOf={editOf}
              menuOf={menuOf}
              pageHref={pageOf({ id: search.open })}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(clients.items, index, ({ id }) => change({ open: id }))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={clients}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          rowHref={pageOf}
          rowMenu={menuOf}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={search.search === undefined ? text.noneArchived : text.nothing}
              onClear={() => change({ search: undefined, archived: undefined })}
              title={text.none}
              action={create && <Button onPress={create}>{actionText['create-client']}</Button>}
            >
              {text.noneAbout}
            </EmptyList>
          }
        />
      </WithSheet>
      {dialog}
    </Page>
  )
}

/** The search and the filter of the list, and how many clients it has. */
function ClientFilters({
  search: { search, archived },
  total,
  onChange,
}: {
  search: CustomerSearch
  total: number | undefined
  onChange: (changed: Change) => void
}) {
  const text = useWords(clientTexts)
  return (
    <FilterBar
      fields={[{ id: 'archived', label: text.state, values: [{ value: 'yes', label: text.archived }] }]}
      filters={archived ? { archived: 'yes' } : {}}
      onChange={filters => onChange({ archived: filters.archived ? true : undefined })}
      start={
        <SearchField
          label={text.search}
          value={search ?? ''}
          onChange={typed => onChange({ search: typed || undefined })}
        />
      }
      end={total !== undefined && <Total isLive count={total} label={text.total(total)} />}
    />
  )
}

function columnsOf(
  text: Record<'name' | 'taxId' | 'city' | 'email' | 'changed', string>,
  language: Language,
): Column<Client>[] {
  return [
    { id: 'name', title: text.name, width: 'minmax(140px, 3fr)', cell: ({ name }) => name },
    { id: 'taxId', title: text.taxId, width: '110px', phone: 'end', cell: ({ taxId }) => taxId },
    {
      id: 'city',
      title: text.city,
      width: 'minmax(90px, 2fr)',
      phone: 'below',
      cell: ({ city, country }) =>
        [city, country && countryName(country, language)].filter(Boolean).join(', '),
    },
    { id: 'email', title: text.email, width: 'minmax(120px, 2fr)', cell: ({ email }) => email },
    {
      id: 'changed',
      title: text.changed,
      width: '84px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}
