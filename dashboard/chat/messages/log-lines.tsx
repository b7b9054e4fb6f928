import { Icon } from '../../parts/icon.tsx'
import { absoluteTime } from '../../parts/time-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { lineOf, type Names } from './chat-text.rules.ts'
import styles from './log.module.css'
import { authorsOf, type LogRow } from './log-rows.rules.ts'
import { messageTexts } from './message.words.ts'

/** The line above the messages of a day. */
export function DayLine({ rowKey, time }: { rowKey: string; time: string }) {
  const language = useLanguage()
  return (
    <p data-row={rowKey} className={styles.line}>
      {absoluteTime(Date.parse(time), language, 'longDate')}
    </p>
  )
}

/** The line above the first message that the person has not read. */
export function NewLine() {
  const text = useWords(messageTexts)
  return (
    <p data-row="new" className={`${styles.line} ${styles.new}`}>
      {text.isNew}
    </p>
  )
}

/** Replies in a channel: who, and the last words of them. The thread has them all. */
export function RepliesLine({
  row,
  names,
  onOpen,
}: {
  row: Extract<LogRow, { kind: 'replies' }>
  names: Names
  onOpen: (messageId: string) => void
}) {
  const text = useWords(messageTexts)
  const last = row.replies.at(-1)
  const authors = authorsOf(row.replies)
    .map(({ displayName }) => displayName)
    .join(', ')
  return (
    <button type="button" data-row={row.key} className={styles.replies} onClick={() => onOpen(row.rootId)}>
      <Icon name="reply" />
      <span className={styles.who}>{text.repliesIn(row.replies.length, authors)}</span>
      <span className={styles.what}>{last?.content ? lineOf(last.content, names) : text.deleted}</span>
    </button>
  )
}
