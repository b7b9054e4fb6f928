import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readClient } from '#contract/crm/clients.ts'
import { type Contact, listContacts } from '#contract/crm/contacts.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useList, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Person } from '../../parts/person.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { type CustomerSearch, customerQueryOf } from '../customer-search.ts'
import { CustomerTabs } from '../customer-tabs.tsx'
import { contactName } from './contact.rules.ts'
import { useContactActions } from './contact-actions.tsx'
import { contactTexts } from './contacts.words.ts'

const ContactSheet = late(() => import('./contact-sheet.tsx').then(sheet => sheet.ContactSheet))

type Change = { [Key in keyof CustomerSearch]: CustomerSearch[Key] | undefined }

/** The contacts of all clients by name. */
export function Contacts() {
  const text = useWords(contactTexts)
  const actionText = useWords(actionTexts)
  const navigate = useNavigate()
  const search = useSearch({ from: '/o/$organization/contacts' })
  const { clientId } = search
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const contacts = useList(listContacts, { query: customerQueryOf(search) })
  const client = useRead(readClient, { params: { id: clientId ?? '' } }, { enabled: clientId !== undefined })
  const { menuOf, editOf, preload, dialog, ...actions } = useContactActions(
    clientId === undefined ? undefined : client.data,
    ({ id }) => change({ open: id }),
  )
  // a new contact belongs to the client of the list, once its name is known
  const create = clientId === undefined || client.data ? actions.create : undefined
  useCreateAction('create-contact', actionText['create-contact'], text.title, create)
  const columns = useMemo(() => columnsOf(text), [text])
  const index = contacts.items.findIndex(({ id }) => id === search.open)
  const clear = () => change({ search: undefined, archived: undefined, clientId: undefined })
  const isFiltered = search.search !== undefined || search.archived || clientId !== undefined
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        create && (
          <CreateButton dialog={{ preload }} onPress={create}>
            {actionText['create-contact']}
          </CreateButton>
        )
      }
      below={
        <>
          <CustomerTabs current="contacts" />
          <ContactFilters
            search={search}
            clientName={client.data?.name}
            total={contacts.total}
            onChange={change}
          />
        </>
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <ContactSheet
              key={search.open}
              contactId={search.open}
              contact={contacts.items[index]}
              editOf={editOf}
              menuOf={menuOf}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(contacts.items, index, ({ id }) => change({ open: id }))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={contacts}
          rowKey={({ id }) => id}
          rowLabel={contact => contactName(contact) ?? text.nameless}
          rowMenu={menuOf}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={search.search === undefined && search.archived ? text.noneArchived : text.nothing}
              onClear={clear}
              title={text.none}
              action={create && <Button onPress={create}>{actionText['create-contact']}</Button>}
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

/** The search and the filters of the list, and how many contacts it has. A client is chosen on its page, which leads here. */
function ContactFilters({
  search: { search, archived, clientId },
  clientName,
  total,
  onChange,
}: {
  search: CustomerSearch
  clientName: string | undefined
  total: number | undefined
  onChange: (changed: Change) => void
}) {
  const text = useWords(contactTexts)
  const client = clientId !== undefined && {
    id: 'client',
    label: text.clientFilter,
    values: [{ value: clientId, label: clientName ?? '…' }],
  }
  return (
    <FilterBar
      fields={[
        { id: 'archived', label: text.state, values: [{ value: 'yes', label: text.archived }] },
        ...(client ? [client] : []),
      ]}
      filters={{ ...(archived && { archived: 'yes' }), ...(clientId !== undefined && { client: clientId }) }}
      onChange={filters =>
        onChange({ archived: filters.archived ? true : undefined, clientId: filters.client })
      }
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
  text: Record<'name' | 'nameless' | 'email' | 'phone' | 'invoices' | 'yes' | 'changed', string>,
): Column<Contact>[] {
  return [
    {
      id: 'name',
      title: text.name,
      width: 'minmax(140px, 2fr)',
      cell: contact => <Person name={contactName(contact) ?? text.nameless} />,
    },
    {
      id: 'email',
      title: text.email,
      width: 'minmax(130px, 2fr)',
      phone: 'below',
      cell: ({ email }) => email,
    },
    { id: 'phone', title: text.phone, width: '120px', phone: 'end', cell: ({ phone }) => phone },
    {
      id: 'invoices',
      title: text.invoices,
      width: '84px',
      cell: ({ receivesInvoices }) => receivesInvoices && <Status icon="check">{text.yes}</Status>,
    },
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
