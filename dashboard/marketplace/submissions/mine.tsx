import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type EntryItem, listEntries, submitEntry } from '#contract/marketplace/entries.ts'
import { useCommands } from '../../data/commands.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Rating } from '../../parts/stars.tsx'
import { Empty } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { MarketTabs, WithMarketplace } from '../market-page.tsx'
import { marketTexts } from '../marketplace.words.ts'
import { EntryStatus } from './entry-status.tsx'
import { mineInputOf } from './submission.rules.ts'
import { submissionTexts } from './submission.words.ts'

const MineSheet = late(() => import('./mine-sheet.tsx').then(sheet => sheet.MineSheet))

/** The publications of the person, or with `scope=organization` those of everybody in the organization. */
export function Mine() {
  return <WithMarketplace>{() => <Publications />}</WithMarketplace>
}

function Publications() {
  const text = useWords(submissionTexts)
  const actionText = useWords(actionTexts)
  const market = useWords(marketTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address, caller } = useOrganization()
  const search = useSearch({ from: '/o/$organization/marketplace/mine' })
  // administrators alone may list those of others
  const scope = caller.isAdministrator ? search.scope : undefined
  const list = useList(listEntries, mineInputOf(scope ? { scope } : {}))
  const submitHref = `/o/${encodeURIComponent(address)}/marketplace/submit`
  const maySubmit = may(submitEntry)
  const submit = () => void navigate({ href: submitHref })
  useShortcuts(
    { c: maySubmit ? { label: actionText['publish-asset'], action: submit } : undefined },
    market.mine,
  )
  useCommands(
    maySubmit
      ? [{ id: 'publish-asset', label: actionText['publish-asset'], icon: 'plus', href: submitHref }]
      : [],
  )
  const open = (id: string | undefined) =>
    void navigate({
      to: '.',
      search: ({ open: _, ...former }: Record<string, unknown>) => ({ ...former, ...(id && { open: id }) }),
      replace: true,
    })
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => columnsOf(market, isNarrow), [market, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  const submitLink = maySubmit && (
    <ButtonLink kind="primary" icon="plus" shortcut="c" href={submitHref}>
      {actionText['publish-asset']}
    </ButtonLink>
  )
  return (
    <Page
      title={market.title}
      width="full"
      actions={submitLink}
      below={
        <>
          <MarketTabs current="mine" />
          {caller.isAdministrator && <ScopeFilter scope={scope} total={list.total} />}
        </>
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <MineSheet
              key={search.open}
              id={search.open}
              onClose={() => open(undefined)}
              {...neighboursOf(list.items, index, ({ id }) => open(id))}
            />
          )
        }
      >
        <ListGrid
          label={market.mine}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          rowHref={({ id }) => `/o/${encodeURIComponent(address)}/marketplace/${id}`}
          onOpen={({ id }) => open(id)}
          current={search.open}
          empty={
            <Empty
              title={scope ? text.emptyOrganization : text.empty}
              action={maySubmit && <ButtonLink href={submitHref}>{actionText['publish-asset']}</ButtonLink>}
            >
              {text.emptyAbout}
            </Empty>
          }
        />
      </WithSheet>
    </Page>
  )
}

/** Administrators choose between their own publications and those of everybody. */
function ScopeFilter({ scope, total }: { scope: 'organization' | undefined; total: number | undefined }) {
  const text = useWords(submissionTexts)
  const navigate = useNavigate()
  return (
    <FilterBar
      fields={[
        {
          id: 'scope',
          label: text.scope,
          values: [{ value: 'organization', label: text.scopeOrganization }],
        },
      ]}
      filters={scope ? { scope } : {}}
      onChange={filters =>
        void navigate({
          to: '.',
          search: filters.scope ? { scope: 'organization' } : {},
          replace: true,
        })
      }
      end={total !== undefined && <Total count={total} label={text.total(total)} />}
    />
  )
}

function columnsOf(market: (typeof marketTexts)['en'], isNarrow: boolean): Column<EntryItem>[] {
  const columns: Column<EntryItem>[] = [
    { id: 'name', title: market.name, width: 'minmax(180px, 2fr)', cell: ({ name }) => name },
    {
      id: 'status',
      title: market.status,
      width: '140px',
      phone: 'belowEnd',
      cell: ({ status }) => <EntryStatus status={status} />,
    },
    { id: 'version', title: market.version, width: '92px', phone: 'end', cell: ({ version }) => version },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    { id: 'type', title: market.type, width: '100px', phone: 'below', cell: ({ type }) => market[type] },
    { id: 'category', title: market.category, width: '160px', cell: ({ category }) => market[category] },
    {
      id: 'rating',
      title: market.rating,
      width: '116px',
      cell: ({ ratingAverage, ratingCount }) => <Rating average={ratingAverage} count={ratingCount} />,
    },
    {
      id: 'installs',
      title: market.installedBy,
      width: '108px',
      align: 'end',
      cell: ({ installCount }) => installCount,
    },
    {
      id: 'submitted',
      title: market.submitted,
      width: '110px',
      align: 'end',
      cell: ({ submittedAt }) => <Time value={submittedAt} />,
    },
  ]
}
