import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { listVersions, type VersionItem } from '#contract/studio/versions.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { focusedRowKey } from '../../parts/row-selection.ts'
import { Selection } from '../../parts/selection.tsx'
import { Empty } from '../../parts/states.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useWords } from '../../words/words.ts'
import { type Asset, assetHref } from '../assets/asset.ts'
import type { AssetPageSearch } from '../assets/asset-page-search.ts'
import { Comparison } from './comparison.tsx'
import { nextVersion } from './next-version.rules.ts'
import { useVersionActions } from './use-version-actions.ts'
import { versionColumns } from './version-columns.tsx'
import styles from './versions.module.css'
import { versionTexts } from './versions.words.ts'

const VersionSheet = late(() => import('./version-sheet.tsx').then(sheet => sheet.VersionSheet))
const RollbackDialog = late(() => import('./rollback-dialog.tsx').then(dialog => dialog.RollbackDialog))
const nothing: ReadonlySet<string> = new Set()

/** The history of an asset: a version to read, two to compare, one to go back to. */
export function VersionsTab({ asset }: { asset: Asset }) {
  const text = useWords(versionTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/studio/$assetId' })
  const list = useList(listVersions, { params: { id: asset.id } })
  const [selection, setSelection] = useState(nothing)
  const [restored, setRestored] = useState<string>()
  const { version, from, to } = search
  type Change = { [Key in keyof AssetPageSearch]?: AssetPageSearch[Key] | undefined }
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const compare = (one: string, other: string) => change({ from: one, to: other, version: undefined })
  const actionsOf = useVersionActions(asset, { compare, rollBack: setRestored })
  const isNarrow = version !== undefined
  const columns = useMemo(() => versionColumns(text, isNarrow), [text, isNarrow])
  const numbers = list.items.map(item => item.version)
  const chosen = list.items.filter(({ id }) => selection.has(id))

  /** Compares the two selected versions, the older one first; a single one is compared with the active one. */
  function compareChosen(): void {
    const focused = focusedRowKey()
    const [newer, older] =
      chosen.length > 0 ? chosen : list.items.filter(item => item.id === focused || item.version === version)
    if (!newer) return
    const active = asset.currentVersion.version
    if (older) compare(older.version, newer.version)
    else if (newer.version !== active) compare(newer.version, active)
  }
  const isComparing = from !== undefined && to !== undefined
  useShortcuts(isComparing ? {} : { d: { label: text.compare, action: compareChosen } }, text.title)
  const hrefOf = (query: Record<string, string>) =>
    `${assetHref(address, asset.id)}?${new URLSearchParams({ tab: 'versions', ...query, ...(search.edit && { edit: 'true' }) })}`
  if (isComparing)
    return (
      <Comparison
        assetId={asset.id}
        from={from}
        to={to}
        swapHref={hrefOf({ from: to, to: from })}
        listHref={hrefOf({})}
        onClose={() => change({ from: undefined, to: undefined })}
      />
    )
  const open = (item: VersionItem) => change({ version: item.version })
  const index = list.items.findIndex(item => item.version === version)
  return (
    <div className={styles.history}>
      {list.items.length > 1 && <p className={styles.hint}>{text.selectTwo}</p>}
      <WithSheet
        sheet={
          version !== undefined && (
            <VersionSheet
              key={version}
              assetId={asset.id}
              version={version}
              actionsOf={actionsOf}
              onClose={() => change({ version: undefined })}
              {...neighboursOf(list.items, index, open)}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowLabel={item => item.version}
          rowMenu={actionsOf}
          onOpen={open}
          current={list.items[index]?.id}
          selection={selection}
          onSelect={setSelection}
          empty={<Empty title={text.empty} />}
        />
        <Selection count={chosen.length} onClear={() => setSelection(nothing)}>
          <Button kind="quiet" shortcut="d" isDisabled={chosen.length > 2} onPress={compareChosen}>
            {text.compare}
          </Button>
        </Selection>
      </WithSheet>
      {restored !== undefined && (
        <RollbackDialog
          assetId={asset.id}
          version={restored}
          next={nextVersion(asset.currentVersion.version, numbers, 'patch')}
          onClose={() => setRestored(undefined)}
        />
      )}
    </div>
  )
}
