import { Link } from '@tanstack/react-router'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { useOrganization } from '../../data/organization.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Person } from '../../parts/person.tsx'
import { Spoken } from '../../parts/spoken.tsx'
import { useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import styles from './channels.module.css'
import { channelTexts } from './channels.words.ts'

export const channelIcons = {
  CHANNEL: 'hash',
  GROUP: 'lock',
  CUSTOMER_PORTAL: 'clients',
  DIRECT: 'person',
} as const

/** A channel in the list: what waits in it, and whether the person has begun to write there. */
export function ChannelEntry({
  channel,
  mentions,
  hasDraft,
}: {
  channel: OwnChannel
  mentions: number
  hasDraft: boolean
}) {
  const text = useWords(channelTexts)
  const { address } = useOrganization()
  const { id, type, unreadCount, notification, isArchived } = channel
  const href: string = `/o/${encodeURIComponent(address)}/channels/${id}`
  const name = channelName(channel, text.nobody)
  const isMuted = notification === 'NONE' || isArchived
  const hasNews = unreadCount > 0 && !isMuted && (notification !== 'MENTIONS' || mentions > 0)
  return (
    <li>
      <Link
        to={href}
        activeOptions={{ includeSearch: false }}
        className={styles.entry}
        data-unread={hasNews || undefined}
        title={name}
      >
        {type === 'DIRECT' ? (
          <span className={styles.person}>
            <Person name={name} isNameHidden />
          </span>
        ) : (
          <Icon name={channelIcons[type]} className={styles.icon} />
        )}
        <span className={styles.name}>{name}</span>
        {hasDraft && (
          <>
            <Icon name="edit" className={styles.mark} />
            <Spoken>, {text.draft}</Spoken>
          </>
        )}
        {isMuted && unreadCount > 0 && <span className={styles.dot} />}
        {mentions > 0 && (
          <>
            <span className={styles.mentions} aria-hidden="true">
              @
            </span>
            <Spoken>, {text.mentioned}</Spoken>
          </>
        )}
        {unreadCount > 0 && !isMuted && (
          <>
            <span className={styles.count} aria-hidden="true">
              {unreadCount > 99 ? '99+' : unreadCount}
            </span>
            <Spoken>, {text.unread(unreadCount)}</Spoken>
          </>
        )}
      </Link>
    </li>
  )
}
