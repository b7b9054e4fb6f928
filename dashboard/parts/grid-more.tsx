import { useEffect, useRef } from 'react'
import { useWords } from '../words/words.ts'
import { Button } from './button.tsx'
import styles from './grid.module.css'
import type { GridProps } from './grid-props.ts'
import { gridTexts } from './grid-words.ts'

const aheadRows = 12

/** Loads more rows before the last one is in view. After a failure, only the button that this line then shows repeats it. */
export function MoreRows<Row>({
  rows,
  hasMore,
  isLoadingMore,
  loadMore,
  lastIndex,
}: GridProps<Row> & {
  /** The last row in the document. */
  lastIndex: number
}) {
  const text = useWords(gridTexts)
  /** The number of rows for which more were asked last. */
  const askedAt = useRef(0)
  useEffect(() => {
    if (!hasMore || isLoadingMore || askedAt.current === rows.length) return
    if (lastIndex < rows.length - aheadRows) return
    askedAt.current = rows.length
    loadMore?.()
  }, [hasMore, isLoadingMore, loadMore, lastIndex, rows.length])
  if (isLoadingMore)
    return (
      <div role="row" className={styles.more}>
        <div role="gridcell">{text.loading}…</div>
      </div>
    )
  if (!hasMore || askedAt.current !== rows.length) return null
  return (
    <div role="row" className={styles.more}>
      <div role="gridcell">
        <Button kind="quiet" onPress={() => loadMore?.()}>
          {text.loadMore}
        </Button>
      </div>
    </div>
  )
}
