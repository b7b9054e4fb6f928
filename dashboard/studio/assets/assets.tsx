import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { createAsset, listAssets } from '#contract/studio/assets.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useNewRows } from '../../data/new-rows.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { focusedRowKey } from '../../parts/row-selection.ts'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { type AssetItem, assetHref } from './asset.ts'
import { assetTexts } from './asset.words.ts'
import { assetColumns } from './asset-columns.tsx'
import { AssetDialogs, CreateAssetDialog } from './asset-dialogs.tsx'
import { AssetFilterBar } from './asset-filters.tsx'
import { type AssetSearchChange, assetFiltersOf, assetInputOf } from './asset-search.ts'
import { AssetViews } from './asset-views.tsx'
import { catalogueTexts } from './assets.words.ts'
import { CatalogueMenu } from './catalogue-menu.tsx'
import type { OpenDialog } from './open-dialog.ts'
import { useAssetActions } from './use-asset-actions.ts'
import { useAssetCopy } from './use-asset-copy.ts'

const AssetSheet = late(() => import('./asset-sheet.tsx').then(sheet => sheet.AssetSheet))

/** The catalogue: the assets that the caller may read. */
export function Assets() {
  const text = useWords(catalogueTexts)
  const actionText = useWords(actionTexts)
  const fields = useWords(assetTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/studio' })
  const [open, setOpen] = useState<OpenDialog>({ kind: 'none' })
  const input = assetInputOf(search)
  const list = useList(listAssets, input)
  const shown = useMemo(() => new Set(list.items.map(({ id }) => id)), [list.items])
  const newRows = useNewRows(listAssets, shown)
  const actionsOf = useAssetActions(setOpen)
  const copy = useAssetCopy(asset => setOpen({ kind: 'use', asset }))
  const change = (changed: AssetSearchChange) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => assetColumns(fields, isNarrow), [fields, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  const hrefOf = ({ id }: Pick<AssetItem, 'id'>) => assetHref(address, id)

  /** The asset with the focus, or the one whose preview is open. */
  function chosen(): AssetItem | undefined {
    const chosenId = focusedRowKey() ?? search.open
    return list.items.find(({ id }) => id === chosenId)
  }
  const onChosen = (use: (asset: AssetItem) => void) => () => {
    const asset = chosen()
    if (asset) use(asset)
  }
  const create = () => setOpen({ kind: 'create' })
  const mayCreate = may(createAsset)
  useCreateAction('create-asset', actionText['create-asset'], text.title, mayCreate && create, {
    p: {
      label: text.preview,
      action: onChosen(({ id }) => change({ open: id === search.open ? undefined : id })),
    },
    y: { label: text.copy, action: onChosen(asset => void copy(asset)) },
  })
  const isFiltered = Object.keys(assetFiltersOf(search)).some(name => name !== 'orderBy')
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <>
          <CatalogueMenu onTransferAll={() => setOpen({ kind: 'transferAll' })} />
          {mayCreate && (
            <CreateButton isSecondary={isNarrow} dialog={CreateAssetDialog} onPress={create}>
              {actionText['create-asset']}
            </CreateButton>
          )}
        </>
      }
      below={
        <>
          <AssetViews search={search} onView={view => change({ view })} />
          <AssetFilterBar search={search} items={list.items} total={list.total} onChange={change} />
        </>
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <AssetSheet
              key={search.open}
              assetId={search.open}
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
          rowHref={hrefOf}
          rowMenu={actionsOf}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          newCount={newRows.ids.length}
          onShowNew={newRows.show}
          sort={input.query.orderBy}
          onSort={orderBy => change(assetFiltersOf({ orderBy }))}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.nothing}
              onClear={() => void navigate({ to: '.', search: {} })}
              title={text.empty}
              action={mayCreate && <Button onPress={create}>{actionText['create-asset']}</Button>}
            >
              {text.emptyAbout}
            </EmptyList>
          }
        />
      </WithSheet>
      <AssetDialogs
        open={open}
        authors={[...new Map(list.items.map(({ author }) => [author.id, author])).values()]}
        onClose={() => setOpen({ kind: 'none' })}
        onRemoved={() => change({ open: undefined })}
      />
    </Page>
  )
}
