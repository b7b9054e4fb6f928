import { useNavigate, useSearch } from '@tanstack/react-router'
import { updateAsset } from '#contract/studio/assets.ts'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { Spoken } from '../../parts/spoken.tsx'
import { useWords } from '../../words/words.ts'
import { type Asset, canEdit } from './asset.ts'
import { AssetFacts } from './asset-facts.tsx'
import { AssetNotices } from './asset-notices.tsx'
import { assetPageTexts } from './asset-page.words.ts'
import { AssetReactions } from './asset-reactions.tsx'
import { AssetText } from './asset-text.tsx'
import { AssetUses } from './asset-uses.tsx'
import styles from './assets.module.css'
import { GoneNotice } from './gone-notice.tsx'

const Editor = late(() => import('../editor/editor.tsx').then(editor => editor.Editor))

/** The text of an asset, to read or to edit. */
export function BodyTab({ asset, hasGone, isHidden }: { asset: Asset; hasGone: boolean; isHidden: boolean }) {
  const may = useMay()
  const { edit } = useSearch({ from: '/o/$organization/studio/$assetId' })
  const mayEdit = may(updateAsset) && canEdit(asset) && asset.status !== 'ARCHIVED'
  if (edit && (mayEdit || hasGone)) return <Editor asset={asset} hasGone={hasGone} isHidden={isHidden} />
  return isHidden ? null : <Reading asset={asset} hasGone={hasGone} mayEdit={mayEdit} />
}

function Reading({ asset, hasGone, mayEdit }: { asset: Asset; hasGone: boolean; mayEdit: boolean }) {
  const text = useWords(assetPageTexts)
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  return (
    <div className={styles.reading}>
      <div className={styles.text}>
        <h2>
          <Spoken>{text.body}</Spoken>
        </h2>
        {hasGone ? <GoneNotice asset={asset} /> : <AssetNotices asset={asset} />}
        <AssetText
          content={asset}
          action={
            mayEdit &&
            !hasGone && (
              <Button kind="primary" onPress={() => void navigate({ to: '.', search: { edit: true } })}>
                {text.write}
              </Button>
            )
          }
        />
      </div>
      <div className={styles.aside}>
        <AssetFacts asset={asset} />
        <AssetUses asset={asset} />
        {isPhone && <AssetReactions asset={asset} isDisabled={hasGone} />}
      </div>
    </div>
  )
}
