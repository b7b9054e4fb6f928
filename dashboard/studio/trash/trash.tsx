import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type DeletedAsset, listDeletedAssets, purgeAsset, restoreAsset } from '#contract/studio/lifecycle.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Selection } from '../../parts/selection.tsx'
import { Empty } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { Total } from '../../parts/total.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useAssetHref } from '../asset-href.ts'
import { assetTexts } from '../assets/asset.words.ts'
import styles from './trash.module.css'
import { trashTexts } from './trash.words.ts'
import { trashColumns } from './trash-columns.tsx'

/** The deleted assets that can be restored. */
export function Trash() {
  const text = useWords(trashTexts)
  const values = useWords(assetTexts)
  const language = useLanguage()
  const may = useMay()
  const navigate = useNavigate()
  const assetHref = useAssetHref()
  const list = useList(listDeletedAssets)
  const restore = useAction(restoreAsset)
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [purged, setPurged] = useState<DeletedAsset>()
  const columns = useMemo(() => trashColumns(text, values), [text, values])
  const selected = list.items.filter(({ id }) => selection.has(id))
  async function bringBack(assets: readonly DeletedAsset[]): Promise<void> {
    setSelection(new Set())
    const failures: { name: string; error: unknown }[] = []
    for (const { id, name } of assets) {
      try {
        await restore.mutateAsync({ params: { id } })
      } catch (error) {
        failures.push({ name, error })
      }
    }
    await needErrorTexts(language)
    const [failure] = failures
    if (failure) {
      const names = failures.map(({ name }) => name).join(', ')
      showToast({ kind: 'failed', text: text.notRestored(names, textOfError(failure.error, language)) })
    }
    const [first] = assets
    const count = assets.length - failures.length
    if (count === 1 && assets.length === 1 && first)
      showToast({
        text: text.restored(first.name),
        action: { label: text.open, onPress: () => void navigate({ to: assetHref(first.id) }) },
      })
    else if (count > 0) showToast({ text: text.restoredMany(count) })
  }
  const canRestore = may(restoreAsset)
  const restoring = canRestore && selected.length > 0 ? () => void bringBack(selected) : undefined
  useShortcuts({ r: restoring && { label: text.restore, action: restoring } }, text.title)
  return (
    <Page
      title={text.title}
      width="full"
      below={
        <div className={styles.about}>
          <p>{text.about(studioLimits.deletedAssetDays)}</p>
          {list.total !== undefined && <Total count={list.total} label={text.total(list.total)} />}
        </div>
      }
    >
      <div className={styles.list}>
        <ListGrid
          label={text.title}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          {...(canRestore && { selection, onSelect: setSelection })}
          rowMenu={asset => [
            ...(canRestore
              ? [
                  {
                    id: 'restore',
                    label: text.restore,
                    icon: 'retry' as const,
                    onAction: () => void bringBack([asset]),
                  },
                ]
              : []),
            ...(may(purgeAsset)
              ? [
                  {
                    id: 'purge',
                    label: text.purge,
                    icon: 'trash' as const,
                    isDangerous: true,
                    onAction: () => setPurged(asset),
                  },
                ]
              : []),
          ]}
          empty={<Empty title={text.empty}>{text.emptyAbout}</Empty>}
        />
        <Selection count={selected.length} onClear={() => setSelection(new Set())}>
          {restoring && (
            <Button kind="quiet" shortcut="r" onPress={restoring}>
              {text.restore}
            </Button>
          )}
        </Selection>
      </div>
      {purged && <PurgeDialog asset={purged} onClose={() => setPurged(undefined)} />}
    </Page>
  )
}

function PurgeDialog({ asset, onClose }: { asset: DeletedAsset; onClose: () => void }) {
  const text = useWords(trashTexts)
  return (
    <ConfirmAction
      operation={purgeAsset}
      input={{ params: { id: asset.id } }}
      refreshes={[listDeletedAssets]}
      title={text.purgeTitle(asset.name)}
      action={text.purgeAction}
      isDangerous
      nameToType={asset.name}
      onClose={onClose}
      toast={() => text.purged(asset.name)}
    >
      <p>{text.purgeAbout}</p>
    </ConfirmAction>
  )
}
