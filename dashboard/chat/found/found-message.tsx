import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Message } from '#contract/chat/shapes.ts'
import { linkTo } from '../../data/link-to.ts'
import { useOrganization } from '../../data/organization.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Person } from '../../parts/person.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import { channelTexts } from '../channels/channels.words.ts'
import { useChannelsContext } from '../channels/channels-context.ts'
import { lineOf, type Names } from '../messages/chat-text.rules.ts'
import { messageTexts } from '../messages/message.words.ts'
import { foundTexts } from '../threads/threads.words.ts'
import styles from './found.module.css'

/** A message in a list of messages from several channels. It leads to the message among the others. */
export function FoundMessage({
  message,
  href,
  channelTitle,
  names,
  below,
}: {
  message: Message
  href: string
  /** The name of its channel, if the list of channels does not have it. */
  channelTitle?: string
  names: Names
  below?: ReactNode
}) {
  const text = useWords(foundTexts)
  const { nobody } = useWords(channelTexts)
  const visibilities = useWords(messageTexts)
  const { list } = useChannelsContext()
  const channel = list.items.find(({ id }) => id === message.channelId)
  const title = channelTitle ?? (channel && channelName(channel, nobody))
  const { author, visibility, content, createdAt, parentMessageId } = message
  return (
    <li className={styles.item}>
      <Link {...linkTo(href)} className={styles.link} data-visibility={visibility} data-found>
        <Person
          name={author.displayName}
          kind={author.kind === 'USER' ? 'person' : 'application'}
          size="large"
          isNameHidden
        />
        <span className={styles.words}>
          <span className={styles.head}>
            <span className={styles.name}>{author.displayName}</span>
            {visibility !== 'VISIBLE' && (
              <span className={styles.visibility}>
                <Icon name={visibility === 'INTERNAL' ? 'hidden' : 'lock'} /> {visibilities[visibility]}
              </span>
            )}
            <span className={styles.quiet}>
              {title && text.inChannel(title)} {parentMessageId !== null && text.inThread}
            </span>
            <span className={styles.time}>
              <Time value={createdAt} />
            </span>
          </span>
          <span className={styles.content}>{content === null ? text.deleted : lineOf(content, names)}</span>
          {below}
        </span>
      </Link>
    </li>
  )
}

/** The names that the mentions in such a list may have. */
export function useKnownNames(messages: readonly Message[]): Names {
  const { somebody } = useWords(foundTexts)
  const { caller } = useOrganization()
  const { list } = useChannelsContext()
  const people = list.items.flatMap(channel => channel.people ?? [])
  return {
    byId: new Map([
      ...people.map(({ id, displayName }) => [id, displayName] as const),
      ...messages.map(({ author }) => [author.id, author.displayName] as const),
      [caller.person.id, caller.person.name] as const,
    ]),
    ownId: caller.person.id,
    unknown: somebody,
  }
}
