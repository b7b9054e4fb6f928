import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { identityLimits } from '#contract/identity/limits.ts'
import { listOrganizations } from '#contract/identity/operator.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { organizationColumns } from './organization-columns.tsx'
import { organizationQueryOf } from './organization-search.ts'
import { organizationTexts } from './organizations.words.ts'
import { useOrganizationActions } from './use-organization-actions.tsx'

const OrganizationSheet = late(() =>
  import('./organization-sheet.tsx').then(sheet => sheet.OrganizationSheet),
)
const CreateOrganizationDialog = late(() =>
  import('./create-organization-dialog.tsx').then(dialog => dialog.CreateOrganizationDialog),
)

/** Every organization of this server. */
export function Organizations() {
  const text = useWords(organizationTexts)
  const actionText = useWords(actionTexts)
  const navigate = useNavigate()
  const search = useSearch({ from: '/operator/organizations' })
  const [isCreating, setCreating] = useState(false)
  const list = useList(listOrganizations, { query: organizationQueryOf(search) })
  const { entriesOf, dialog } = useOrganizationActions()
  const change = (changed: { search?: string | undefined; open?: string | undefined }) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const create = () => setCreating(true)
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => organizationColumns(text, isNarrow), [text, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  useCreateAction('create-organization', actionText['create-organization'], text.title, create)
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <CreateButton dialog={CreateOrganizationDialog} onPress={create}>
          {actionText['create-organization']}
        </CreateButton>
      }
      below={
        <FilterBar
          fields={[]}
          filters={{}}
          onChange={() => {}}
          start={
            <SearchField
              label={text.search}
              value={search.search ?? ''}
              maxLength={identityLimits.organizationName}
              onChange={value => change({ search: value || undefined })}
            />
          }
          end={list.total !== undefined && <Total count={list.total} label={text.total(list.total)} />}
        />
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <OrganizationSheet
              key={search.open}
              id={search.open}
              listed={list.items[index]}
              entriesOf={entriesOf}
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
          rowLabel={({ name }) => name}
          rowHref={({ id }) => `/operator/organizations/${id}`}
          rowMenu={entriesOf}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={Boolean(search.search)}
              nothingFits={text.nothing}
              clear={text.clear}
              onClear={() => change({ search: undefined })}
              title={text.empty}
              action={<Button onPress={create}>{actionText['create-organization']}</Button>}
            >
              {text.emptyAbout}
            </EmptyList>
          }
        />
      </WithSheet>
      {isCreating && (
        <CreateOrganizationDialog
          onClose={() => setCreating(false)}
          onCreated={({ id }) => change({ open: id })}
        />
      )}
      {dialog}
    </Page>
  )
}
