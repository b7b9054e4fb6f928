import { type ReactNode, useId } from 'react'
import type { CallError } from '#sdk/client.ts'
import { Button } from '../parts/button.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { countText } from '../parts/number-text.ts'
import { Notice, Skeleton } from '../parts/states.tsx'
import { useLanguage, useWords, words } from '../words/words.ts'
import styles from './detail-list.module.css'
import { textOfError } from './errors.ts'

const texts = words({
  es: { again: 'Intentar otra vez', reading: (title: string) => `Leyendo ${title}` },
  en: { again: 'Try again', reading: (title: string) => `Reading ${title}` },
})

export type HeadingLevel = 2 | 3

type DetailListProps<Row> = {
  title: string
  /** One below the heading of what it belongs to. */
  level: HeadingLevel
  /** At the end of the title's line: a button that adds one, a link to all. */
  action?: ReactNode
  /** Says what the list is for, or what is missing. */
  about?: ReactNode
  rows: readonly Row[] | undefined
  total?: number | undefined
  error: CallError | null
  reload: () => void
  /** How the rest is loaded, for a list that is read page by page. */
  more?: { hasMore: boolean; isLoadingMore: boolean; loadMore: () => void }
  rowKey: (row: Row) => string
  row: (row: Row) => ReactNode
  empty: string
}

/** A short list of things that belong to an object, below its own heading. */
export function DetailList<Row>(props: DetailListProps<Row>) {
  const { title, level, action, about, rows, total, error, reload, more, rowKey, row, empty } = props
  const text = useWords(texts)
  const language = useLanguage()
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section aria-labelledby={id}>
      <header className={styles.head}>
        <Heading id={id} className={styles.title}>
          {title}
          {total !== undefined && total > 0 && (
            <span className={styles.count}> {countText(total, language)}</span>
          )}
        </Heading>
        {action && <div className={styles.action}>{action}</div>}
      </header>
      {about}
      {error ? (
        <div className={styles.failed}>
          <Notice kind="danger">{textOfError(error, language)}</Notice>
          <Button size="small" onPress={reload}>
            {text.again}
          </Button>
        </div>
      ) : rows === undefined ? (
        <Skeleton rows={2} label={text.reading(title)} />
      ) : rows.length === 0 ? (
        <p className={styles.empty}>{empty}</p>
      ) : (
        <ul aria-labelledby={id}>
          {rows.map(one => (
            <li key={rowKey(one)} className={styles.row}>
              {row(one)}
            </li>
          ))}
        </ul>
      )}
      {more && rows && <LoadMore {...more} shown={rows.length} total={total} />}
    </section>
  )
}

/** The cells of a row: a name with quiet words after it, then states, an amount, a menu. */
export function DetailRow({
  name,
  about,
  children,
}: {
  name: ReactNode
  about?: ReactNode
  children?: ReactNode
}) {
  return (
    <>
      <span className={styles.name}>
        {name}
        {about && <span className={styles.about}>{about}</span>}
      </span>
      {children && <span className={styles.end}>{children}</span>}
    </>
  )
}
