import { memo } from 'react'
import type { Message } from '#contract/chat/shapes.ts'
import { Icon } from '../../parts/icon.tsx'
import { Person } from '../../parts/person.tsx'
import { absoluteTime, exactTime } from '../../parts/time-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Names } from './chat-text.rules.ts'
import styles from './message.module.css'
import { messageTexts } from './message.words.ts'
import { MessageEditor } from './message-editor.tsx'
import { MessageFiles } from './message-files.tsx'
import { MessageText } from './message-text.tsx'

/** The actions of a message in the log. The functions stay the same, so that messages are not drawn again. */
export type MessageActions = {
  openThread: (messageId: string) => void
  openMenu: (message: Message, button: HTMLElement) => void
  stopEditing: (saved?: Message) => void
  focus: (key: string) => void
}
export type MessageProps = {
  message: Message
  isContinued: boolean
  /** In its own thread, a message does not lead to it. */
  isInThread: boolean
  isEditing: boolean
  isHighlighted: boolean
  /** Tab reaches one message of the log; `j` and `k` the others. */
  isTabStop: boolean
  hasTools?: boolean
  names: Names
  actions: MessageActions
}

/** A message: who, when, for whom, and its words. */
export const MessageRow = memo(function MessageRow(props: MessageProps) {
  const { message, isContinued, isInThread, isEditing, isHighlighted, isTabStop, names, actions } = props
  const { hasTools = true } = props
  const text = useWords(messageTexts)
  const language = useLanguage()
  const { id, author, visibility, createdAt, content, deletedAt, replyCount, attachments } = message
  const time = absoluteTime(Date.parse(createdAt), language, 'clock')
  const label = [author.displayName, visibility === 'VISIBLE' ? '' : text[visibility], time]
  return (
    <article
      data-row={id}
      data-message={id}
      data-visibility={visibility}
      data-highlighted={isHighlighted || undefined}
      aria-label={label.filter(Boolean).join(', ')}
      tabIndex={isTabStop ? 0 : -1}
      className={`${styles.message} ${isContinued ? styles.continued : ''}`}
      onFocus={() => actions.focus(id)}
    >
      {isContinued ? (
        <time className={styles.sideTime} dateTime={createdAt}>
          {time}
        </time>
      ) : (
        <Person
          name={author.displayName}
          kind={author.kind === 'USER' ? 'person' : 'application'}
          size="large"
          isNameHidden
        />
      )}
      <div className={styles.body}>
        {!isContinued && <MessageHead message={message} time={time} />}
        {deletedAt !== null || content === null ? (
          <p className={styles.quiet}>{text.deleted}</p>
        ) : isEditing ? (
          <MessageEditor message={message} names={names} onClose={actions.stopEditing} />
        ) : (
          <MessageText text={content} names={names} />
        )}
        {attachments.length > 0 && <MessageFiles message={message} ownId={names.ownId} />}
        {replyCount > 0 && !isInThread && (
          <button type="button" className={styles.thread} onClick={() => actions.openThread(id)}>
            <Icon name="reply" />
            <span className={styles.name}>{text.replyCount(replyCount)}</span>
            {message.lastReplyAt && (
              <span className={styles.quiet}>
                {text.lastReply} {absoluteTime(Date.parse(message.lastReplyAt), language, 'clock')}
              </span>
            )}
          </button>
        )}
      </div>
      {deletedAt === null && !isEditing && hasTools && (
        <div className={styles.tools}>
          {!isInThread && (
            <button
              type="button"
              className={styles.tool}
              aria-label={text.reply}
              title={text.reply}
              onClick={() => actions.openThread(message.parentMessageId ?? id)}
            >
              <Icon name="reply" />
            </button>
          )}
          <button
            type="button"
            className={styles.tool}
            aria-label={text.actions}
            title={text.actions}
            aria-haspopup="menu"
            onClick={event => actions.openMenu(message, event.currentTarget)}
          >
            <Icon name="more" />
          </button>
        </div>
      )}
    </article>
  )
})

/** The first line: the author, the readers if they are not all, and the time. */
export function MessageHead({ message, time }: { message: Message; time: string }) {
  const text = useWords(messageTexts)
  const language = useLanguage()
  const { author, visibility, createdAt, editedAt, deletedAt } = message
  const { local, utc } = exactTime(Date.parse(createdAt), language)
  return (
    <p className={styles.head}>
      <span className={styles.name}>{author.displayName}</span>
      {author.kind !== 'USER' && (
        <span className={styles.tag}>{author.kind === 'AI' ? text.ai : text.application}</span>
      )}
      {visibility !== 'VISIBLE' && (
        <span className={styles.visibility}>
          <Icon name={visibility === 'INTERNAL' ? 'hidden' : 'lock'} /> {text[visibility]}
        </span>
      )}
      <time dateTime={createdAt} title={`${local}\n${utc}`} className={styles.quiet}>
        {time}
      </time>
      {editedAt && deletedAt === null && <span className={styles.quiet}>{text.edited}</span>}
    </p>
  )
}
