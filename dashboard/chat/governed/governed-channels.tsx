import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { limits } from '#contract/limits.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty } from '../../parts/states.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useWords } from '../../words/words.ts'
import { useChannelHref } from '../use-channel-href.ts'
import type { GovernedSearch } from './governed.rules.ts'
import { governedTexts } from './governed.words.ts'
import { governedColumns } from './governed-columns.tsx'
import { useGoverned } from './use-governed.ts'

const GovernedSheet = late(() => import('./governed-sheet.tsx').then(sheet => sheet.GovernedSheet))

type Change = { [Key in keyof GovernedSearch]?: GovernedSearch[Key] | undefined }

/** All channels and groups of the organization, for its administrators; those without an owner first. */
export function GovernedChannels() {
  const text = useWords(governedTexts)
  const { caller } = useOrganization()
  return caller.isAdministrator ? (
    <List />
  ) : (
    <Page title={text.title}>
      <Empty title={text.onlyAdministrators}>{text.onlyAdministratorsAbout}</Empty>
    </Page>
  )
}

function List() {
  const text = useWords(governedTexts)
  const navigate = useNavigate()
  const search = useSearch({ from: '/o/$organization/channels/governed' })
  const { peopleHref } = useChannelHref()
  const list = useGoverned(search)
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => governedColumns(text, isNarrow), [text, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  const isFiltered = search.search !== undefined || search.archived === true
  return (
    <Page
      title={text.title}
      width="full"
      below={
        <FilterBar
          fields={[
            {
              id: 'archived',
              label: text.archivedFilter,
              values: [{ value: 'true', label: text.archived }],
            },
          ]}
          filters={search.archived ? { archived: 'true' } : {}}
          onChange={({ archived }) => change({ archived: archived === 'true' ? true : undefined })}
          start={
            <SearchField
              label={text.search}
              value={search.search ?? ''}
              maxLength={limits.search}
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
            <GovernedSheet
              key={search.open}
              id={search.open}
              panel={search.panel}
              onPanel={panel => change({ panel })}
              onClose={() => change({ open: undefined, panel: undefined })}
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
          rowLabel={({ name }) => name ?? ''}
          rowHref={({ id }) => peopleHref(id, 'members')}
          onOpen={({ id }) => change({ open: id, panel: undefined })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.nothing}
              onClear={() => void navigate({ to: '.', search: {} })}
              title={text.empty}
            >
              {text.emptyAbout}
            </EmptyList>
          }
        />
      </WithSheet>
    </Page>
  )
}
