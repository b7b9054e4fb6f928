import { memo } from 'react'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Person } from '../../parts/person.tsx'
import { useWords } from '../../words/words.ts'
import type { Names } from './chat-text.rules.ts'
import styles from './message.module.css'
import { messageTexts } from './message.words.ts'
import { MessageText } from './message-text.tsx'
import type { PendingMessage } from './outbox.rules.ts'
import type { Outbox } from './outbox.ts'

/** A message that is being sent, or was not sent and waits for the person. */
export const PendingRow = memo(function PendingRow({
  message,
  author,
  names,
  outbox,
}: {
  message: PendingMessage
  author: string
  names: Names
  outbox: Pick<Outbox, 'retry' | 'discard'>
}) {
  const text = useWords(messageTexts)
  const { key, visibility, content, isFailed, reason } = message
  return (
    <article
      data-row={key}
      data-visibility={visibility}
      aria-label={`${author}, ${isFailed ? text.notSent : text.sending}`}
      className={`${styles.message} ${isFailed ? styles.failed : styles.pending}`}
    >
      <Person name={author} size="large" isNameHidden />
      <div className={styles.body}>
        <p className={styles.head}>
          <span className={styles.name}>{author}</span>
          {visibility !== 'VISIBLE' && (
            <span className={styles.visibility}>
              <Icon name={visibility === 'INTERNAL' ? 'hidden' : 'lock'} /> {text[visibility]}
            </span>
          )}
        </p>
        <MessageText text={content} names={names} />
        <p className={styles.state} {...(isFailed && { role: 'alert' })}>
          {isFailed ? `${text.notSent} ${reason ?? ''}` : text.sending}
          {isFailed && (
            <>
              <Button size="small" onPress={() => outbox.retry(message)}>
                {text.retry}
              </Button>
              <Button size="small" kind="quiet" onPress={() => outbox.discard(message)}>
                {text.discard}
              </Button>
            </>
          )}
        </p>
      </div>
    </article>
  )
})
