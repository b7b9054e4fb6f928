import { useLanguage, useWords, words } from '../words/words.ts'
import { Button } from './button.tsx'
import styles from './load-more.module.css'
import { countText } from './number-text.ts'

const texts = words({
  es: {
    more: 'Cargar más',
    of: (shown: string, total: string) => `${shown} de ${total}`,
  },
  en: {
    more: 'Load more',
    of: (shown: string, total: string) => `${shown} of ${total}`,
  },
})

/** The end of a list that is read page by page, by cursor or by number. A Grid has its own. */
export function LoadMore({
  hasMore,
  isLoadingMore,
  loadMore,
  shown,
  total,
}: {
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
  /** How many rows the list shows; with the total it says how far the person is. */
  shown?: number
  total?: number | undefined
}) {
  const { more, of } = useWords(texts)
  const language = useLanguage()
  if (!hasMore) return null
  return (
    <div className={styles.line}>
      <Button isBusy={isLoadingMore} onPress={loadMore}>
        {more}
      </Button>
      {shown !== undefined && total !== undefined && (
        <span className={styles.count}>{of(countText(shown, language), countText(total, language))}</span>
      )}
    </div>
  )
}
