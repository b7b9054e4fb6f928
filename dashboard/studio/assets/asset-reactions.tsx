import { Icon } from '../../parts/icon.tsx'
import { useWords } from '../../words/words.ts'
import type { Asset } from './asset.ts'
import { assetPageTexts } from './asset-page.words.ts'
import styles from './assets.module.css'
import type { Reaction } from './reaction.rules.ts'
import { useReaction } from './use-reaction.ts'

/** The thumbs of an asset, with their counts. A press shows at once. */
export function AssetReactions({ asset, isDisabled }: { asset: Asset; isDisabled: boolean }) {
  const text = useWords(assetPageTexts)
  const react = useReaction(asset)
  const button = (reaction: Reaction, label: string, count: number) => (
    <button
      type="button"
      className={styles.thumb}
      aria-pressed={asset.myReaction === reaction}
      aria-label={`${label}: ${count}`}
      title={label}
      disabled={isDisabled}
      onClick={() => react(reaction)}
    >
      <Icon name={reaction === 'POSITIVE' ? 'thumbUp' : 'thumbDown'} /> {count}
    </button>
  )
  return (
    <span className={styles.thumbs}>
      {button('POSITIVE', text.up, asset.thumbsUp)}
      {button('NEGATIVE', text.down, asset.thumbsDown)}
    </span>
  )
}
