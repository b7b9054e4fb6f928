import { useNavigate, useSearch } from '@tanstack/react-router'
import { updateAsset } from '#contract/studio/assets.ts'
import { useMay } from '../../data/organization.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { Status, Tag } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { type Asset, canEdit } from './asset.ts'
import { assetTexts } from './asset.words.ts'
import { useMayPublish } from './asset-notices.tsx'
import { assetPageTexts } from './asset-page.words.ts'
import { AssetReactions } from './asset-reactions.tsx'
import { AssetStatus } from './asset-status.tsx'
import styles from './assets.module.css'
import type { OpenDialog } from './open-dialog.ts'
import { useAssetActions } from './use-asset-actions.ts'
import { useAssetCopy } from './use-asset-copy.ts'

/** Beside the name: type, status and verification. A phone shows them with the facts. */
export function AssetBeside({ asset }: { asset: Asset }) {
  const text = useWords(assetTexts)
  const isPhone = useIsPhone()
  if (isPhone) return null
  return (
    <span className={styles.beside}>
      <Tag>{text[asset.type]}</Tag>
      <AssetStatus asset={asset} />
      {asset.verified && (
        <Status icon="check" kind="done">
          {text.verified}
        </Status>
      )}
    </span>
  )
}

/** The counters, the buttons, the menu and the keys of the page of an asset. */
export function AssetControls({
  asset,
  hasGone,
  onOpen,
}: {
  asset: Asset
  hasGone: boolean
  onOpen: (dialog: OpenDialog) => void
}) {
  const text = useWords(assetPageTexts)
  const may = useMay()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const { edit: isEditing } = useSearch({ from: '/o/$organization/studio/$assetId' })
  const actionsOf = useAssetActions(onOpen)
  const copy = useAssetCopy(whole => onOpen({ kind: 'use', asset: whole }))
  const mayPublish = useMayPublish()(asset)
  const mayEdit = may(updateAsset) && canEdit(asset) && asset.status !== 'ARCHIVED' && !hasGone && !isEditing
  const edit = () => void navigate({ to: '.', search: { edit: true } })
  const copyText = () => void copy(asset)
  useShortcuts(
    {
      y: { label: text.copy, action: copyText },
      e: mayEdit ? { label: text.edit, action: edit } : undefined,
    },
    asset.name,
  )
  const menu = !hasGone && <MoreMenu label={text.actions} groups={actionsOf(asset)} />
  if (isPhone)
    return (
      <>
        <Button icon="copy" onPress={copyText}>
          {text.copy}
        </Button>
        {menu}
      </>
    )
  return (
    <>
      <span className={styles.quiet}>{text.used(asset.usageCount)}</span>
      <AssetReactions asset={asset} isDisabled={hasGone} />
      <Button icon="copy" shortcut="y" onPress={copyText}>
        {text.copy}
      </Button>
      {mayEdit && (
        <Button icon="edit" shortcut="e" kind={mayPublish ? 'secondary' : 'primary'} onPress={edit}>
          {text.edit}
        </Button>
      )}
      {mayPublish && !hasGone && !isEditing && (
        <Button kind="primary" onPress={() => onOpen({ kind: 'publish', asset })}>
          {text.publish(asset.currentVersion.version)}
        </Button>
      )}
      {menu}
    </>
  )
}
