import { useState } from 'react'
import { readAsset } from '#contract/studio/assets.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Button } from '../../parts/button.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { assetHref } from './asset.ts'
import { assetTexts } from './asset.words.ts'
import { AssetDialogs } from './asset-dialogs.tsx'
import { AssetFacts } from './asset-facts.tsx'
import { AssetNotices } from './asset-notices.tsx'
import { assetPageTexts } from './asset-page.words.ts'
import { AssetReactions } from './asset-reactions.tsx'
import { AssetText } from './asset-text.tsx'
import styles from './assets.module.css'
import { GoneNotice, isGone } from './gone-notice.tsx'
import type { OpenDialog } from './open-dialog.ts'
import { useAssetActions } from './use-asset-actions.ts'
import { useAssetCopy } from './use-asset-copy.ts'

/** The preview of an asset beside the catalogue. */
export function AssetSheet({
  assetId,
  onClose,
  ...sheet
}: {
  assetId: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(assetPageTexts)
  const fields = useWords(assetTexts)
  const { address } = useOrganization()
  const { data: asset, error } = useRead(readAsset, { params: { id: assetId } })
  const [open, setOpen] = useState<OpenDialog>({ kind: 'none' })
  const actionsOf = useAssetActions(setOpen)
  const copy = useAssetCopy(whole => setOpen({ kind: 'use', asset: whole }))
  const hasGone = isGone(error)
  return (
    <>
      <Sheet
        {...sheet}
        title={asset?.name ?? fields.asset}
        {...(asset?.description && { about: asset.description })}
        onClose={onClose}
        pageHref={assetHref(address, assetId)}
        menu={asset && !hasGone && <MoreMenu label={text.actions} groups={actionsOf(asset)} />}
        actions={
          asset && (
            <Button kind="primary" icon="copy" shortcut="y" onPress={() => void copy(asset)}>
              {text.copy}
            </Button>
          )
        }
      >
        {asset ? (
          <>
            <SheetSection>
              <div className={styles.stack}>
                {hasGone ? <GoneNotice asset={asset} /> : <AssetNotices asset={asset} />}
                <AssetText content={asset} />
              </div>
            </SheetSection>
            <SheetSection>
              <div className={styles.stack}>
                <AssetReactions asset={asset} isDisabled={hasGone} />
                <AssetFacts asset={asset} hasDescription={false} />
              </div>
            </SheetSection>
          </>
        ) : (
          <ReadingSection error={error} label={fields.reading} />
        )}
      </Sheet>
      <AssetDialogs open={open} onClose={() => setOpen({ kind: 'none' })} onRemoved={onClose} />
    </>
  )
}
