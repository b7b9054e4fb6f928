import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { listOwnChannels } from '#contract/chat/channels.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Key } from '../../parts/key.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { inSections, sectionIds } from './channel.rules.ts'
import { ChannelEntry } from './channel-entry.tsx'
import styles from './channels.module.css'
import { channelTexts } from './channels.words.ts'
import { useChannelsContext } from './channels-context.ts'
import { channelListInput } from './list-input.ts'
import { useDraftChannels, useFrozenOrder } from './use-channels.ts'

const archivedInput = { query: { ...channelListInput.query, archived: true } }
const places = [
  { id: 'threads', icon: 'reply' },
  { id: 'mentions', icon: 'mention' },
  { id: 'search', icon: 'search' },
  { id: 'directory', icon: 'channels' },
] as const satisfies readonly { id: string; icon: IconName }[]

/** The channels of the person by kind. Their order stays while the person is in the list. */
export function ChannelList({ isHeadHidden = false }: { isHeadHidden?: boolean }) {
  const text = useWords(channelTexts)
  const actionText = useWords(actionTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const { list, mentions, next, create } = useChannelsContext()
  const drafts = useDraftChannels()
  const [isInside, setInside] = useState(false)
  const channels = useFrozenOrder(list.items, isInside)
  const sections = inSections(channels)
  const nav = useRef<HTMLElement>(null)
  // without a head, the sections are right below the heading of the page
  const Heading = isHeadHidden ? 'h2' : 'h3'
  const hrefOf = (part: string): string => `/o/${encodeURIComponent(address)}/channels/${part}`
  // the pointer may leave while the focus stays
  const leave = () => setInside(nav.current?.contains(document.activeElement) ?? false)
  return (
    <nav
      ref={nav}
      aria-label={text.title}
      className={styles.list}
      onPointerEnter={() => setInside(true)}
      onPointerLeave={leave}
      onFocus={() => setInside(true)}
      onBlur={event => setInside(event.currentTarget.contains(event.relatedTarget))}
    >
      {!isHeadHidden && (
        <div className={styles.head}>
          <h2 className={styles.title}>{text.title}</h2>
          {create && (
            <IconButton icon="plus" label={actionText['create-conversation']} shortcut="c" onPress={create} />
          )}
        </div>
      )}
      <div className={styles.scroll}>
        {next ? (
          <Link to={hrefOf(next.id)} className={styles.next}>
            {text.nextUnread} <Key name="n" />
          </Link>
        ) : (
          !list.isLoading &&
          list.items.length > 0 && (
            <p className={styles.done}>
              <Icon name="check" /> {text.allRead}
            </p>
          )
        )}
        <ul className={styles.entries}>
          {places.map(({ id, icon }) => (
            <li key={id}>
              <Link to={hrefOf(id)} activeOptions={{ includeSearch: false }} className={styles.entry}>
                <Icon name={icon} className={styles.icon} />
                <span className={styles.name}>{text[id]}</span>
              </Link>
            </li>
          ))}
        </ul>
        {list.isLoading && <Skeleton label={text.reading} />}
        {list.error && (
          <Problem
            title={textOfError(list.error, language)}
            action={<Button onPress={list.reload}>{text.again}</Button>}
          />
        )}
        {sectionIds.map(
          id =>
            sections[id].length > 0 && (
              <section key={id} aria-label={text[id]}>
                <Heading className={styles.section}>{text[id]}</Heading>
                <ul className={styles.entries}>
                  {sections[id].map(channel => (
                    <ChannelEntry
                      key={channel.id}
                      channel={channel}
                      mentions={mentions.get(channel.id) ?? 0}
                      hasDraft={drafts.has(channel.id)}
                    />
                  ))}
                </ul>
              </section>
            ),
        )}
        <LoadMore
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          loadMore={list.loadMore}
          shown={list.items.length}
          total={list.total}
        />
        <Archived />
      </div>
    </nav>
  )
}

/** The archived channels, read when somebody opens them. */
function Archived() {
  const text = useWords(channelTexts)
  const [isOpen, setOpen] = useState(false)
  const list = useList(listOwnChannels, archivedInput, { enabled: isOpen })
  return (
    <section aria-label={text.archived}>
      <button
        type="button"
        className={styles.archived}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} /> {text.archived}
      </button>
      {isOpen && list.isLoading && <Skeleton rows={2} label={text.reading} />}
      {isOpen && !list.isLoading && list.items.length === 0 && (
        <p className={styles.none}>{text.noArchived}</p>
      )}
      {isOpen && (
        <ul className={styles.entries}>
          {list.items.map(channel => (
            <ChannelEntry key={channel.id} channel={channel} mentions={0} hasDraft={false} />
          ))}
        </ul>
      )}
      {isOpen && (
        <LoadMore hasMore={list.hasMore} isLoadingMore={list.isLoadingMore} loadMore={list.loadMore} />
      )}
    </section>
  )
}
