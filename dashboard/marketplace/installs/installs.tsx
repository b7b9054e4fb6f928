import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Install, listInstalls } from '#contract/marketplace/installs.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { ButtonLink } from '../../parts/button.tsx'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useWords } from '../../words/words.ts'
import { MarketTabs, WithMarketplace } from '../market-page.tsx'
import { marketTexts } from '../marketplace.words.ts'
import { installTexts } from './install.words.ts'
import { InstallState, nameOf } from './install-state.tsx'

const InstallSheet = late(() => import('./install-sheet.tsx').then(sheet => sheet.InstallSheet))

/** The copies that the person installed, and which of them have a newer version. */
export function Installs() {
  return <WithMarketplace>{() => <Copies />}</WithMarketplace>
}

function Copies() {
  const text = useWords(installTexts)
  const market = useWords(marketTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/marketplace/installs' })
  const list = useList(listInstalls)
  const open = (id: string | undefined) =>
    void navigate({ to: '.', search: id === undefined ? {} : { open: id }, replace: true })
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => columnsOf(text, market, isNarrow), [text, market, isNarrow])
  const index = list.items.findIndex(({ installId }) => installId === search.open)
  return (
    <Page
      title={market.title}
      width="full"
      beside={list.total !== undefined && <Total count={list.total} label={text.total(list.total)} />}
      below={<MarketTabs current="installs" />}
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <InstallSheet
              key={search.open}
              id={search.open}
              onClose={() => open(undefined)}
              {...neighboursOf(list.items, index, ({ installId }) => open(installId))}
            />
          )
        }
      >
        <ListGrid
          label={market.installs}
          columns={columns}
          list={list}
          rowKey={({ installId }) => installId}
          rowLabel={nameOf}
          rowHref={({ installId }) =>
            `/o/${encodeURIComponent(address)}/marketplace/installs?open=${installId}`
          }
          onOpen={({ installId }) => open(installId)}
          current={search.open}
          empty={
            <Empty
              title={text.empty}
              action={
                <ButtonLink href={`/o/${encodeURIComponent(address)}/marketplace`}>
                  {text.toCatalogue}
                </ButtonLink>
              }
            >
              {text.emptyAbout}
            </Empty>
          }
        />
      </WithSheet>
    </Page>
  )
}

function columnsOf(
  text: (typeof installTexts)['en'],
  market: (typeof marketTexts)['en'],
  isNarrow: boolean,
): Column<Install>[] {
  const columns: Column<Install>[] = [
    { id: 'name', title: market.name, width: 'minmax(180px, 2fr)', cell: nameOf },
    {
      id: 'state',
      title: text.state,
      width: '190px',
      phone: 'below',
      cell: install => <InstallState install={install} />,
    },
    {
      id: 'version',
      title: market.version,
      width: '92px',
      phone: 'end',
      cell: ({ installedVersion }) => installedVersion,
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    {
      id: 'entry',
      title: text.from,
      width: 'minmax(140px, 1fr)',
      cell: ({ entryName, customName }) => (customName ? entryName : noValue),
    },
    {
      id: 'files',
      title: text.files,
      width: '150px',
      align: 'end',
      cell: ({ filesCopied, filesFailed }) => text.filesCopied(filesCopied, filesFailed),
    },
    {
      id: 'created',
      title: text.installed,
      width: '110px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
  ]
}
