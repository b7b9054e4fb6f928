import { codeOf } from '../../data/errors.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import type { Asset } from './asset.ts'
import { assetPageTexts } from './asset-page.words.ts'
import styles from './assets.module.css'

/** Whether an asset that was shown has been deleted, or may not be read any more. */
export const isGone = (error: unknown) => codeOf(error) === 'ASSET_NOT_FOUND'

/** Says that somebody deleted the asset. The text stays, so that nobody loses what they need. */
export function GoneNotice({ asset, text: shown = asset.bodyMarkdown }: { asset: Asset; text?: string }) {
  const text = useWords(assetPageTexts)
  return (
    <Notice kind="danger">
      <span className={styles.noticeLine}>
        {text.gone}
        <CopyButton form="button" text={shown} label={text.copyText} />
      </span>
    </Notice>
  )
}
