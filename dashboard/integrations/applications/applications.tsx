import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import {
  applicationStatuses,
  createApplication,
  listApplications,
} from '#contract/integrations/applications.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { Page } from '../../parts/page.tsx'
import { Total } from '../../parts/total.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import type { ListedApplication } from '../application.ts'
import { useApplicationHref } from '../application-links.ts'
import { applicationColumns } from './application-columns.tsx'
import { applicationsTexts } from './applications.words.ts'

const CreateApplicationDialog = late(() =>
  import('./create-application-dialog.tsx').then(dialog => dialog.CreateApplicationDialog),
)

/** The applications of the organization, each with its principal and the last use of its keys. */
export function Applications() {
  const text = useWords(applicationsTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const navigate = useNavigate()
  const hrefOf = useApplicationHref()
  const { status } = useSearch({ from: '/o/$organization/applications' })
  const [isCreating, setCreating] = useState(false)
  const list = useList(listApplications, { query: status ? { status } : {} })
  const columns = useMemo(() => applicationColumns(text), [text])
  const create = () => setCreating(true)
  const mayCreate = may(createApplication)
  const open = (id: string) => void navigate({ to: hrefOf(id) })
  useCreateAction('create-application', actionText['create-application'], text.title, mayCreate && create)
  const rowMenu = ({ id }: ListedApplication) => [
    { id: 'keys', label: text.openKeys, icon: 'key' as const, href: hrefOf(id, 'keys') },
    { id: 'webhook', label: text.openWebhook, icon: 'link' as const, href: hrefOf(id, 'webhook') },
    {
      id: 'deliveries',
      label: text.openDeliveries,
      icon: 'deliveries' as const,
      href: hrefOf(id, 'deliveries'),
    },
  ]
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        mayCreate && (
          <CreateButton dialog={CreateApplicationDialog} onPress={create}>
            {actionText['create-application']}
          </CreateButton>
        )
      }
      below={
        <FilterBar
          fields={[
            {
              id: 'status',
              label: text.status,
              values: applicationStatuses.map(value => ({ value, label: text[value] })),
            },
          ]}
          filters={status ? { status } : {}}
          onChange={filters =>
            void navigate({
              to: '.',
              search: { status: applicationStatuses.find(one => one === filters.status) },
              replace: true,
            })
          }
          end={list.total !== undefined && <Total count={list.total} label={text.total(list.total)} isLive />}
        />
      }
    >
      <ListGrid
        label={text.title}
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        rowHref={({ id }) => hrefOf(id)}
        rowMenu={rowMenu}
        onOpen={({ id }) => open(id)}
        empty={
          <EmptyList
            isFiltered={status !== undefined}
            nothingFits={text.nothing}
            onClear={() => void navigate({ to: '.', search: {} })}
            title={text.empty}
            action={mayCreate && <Button onPress={create}>{actionText['create-application']}</Button>}
          >
            {text.emptyAbout}
          </EmptyList>
        }
      />
      {isCreating && (
        <CreateApplicationDialog
          onClose={() => setCreating(false)}
          onCreated={id => void navigate({ to: hrefOf(id, 'keys') })}
        />
      )}
    </Page>
  )
}
