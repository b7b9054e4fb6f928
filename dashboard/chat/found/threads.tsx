import { listOwnThreads } from '#contract/chat/messages.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { BackButton } from '../channels/back-button.tsx'
import { foundTexts } from '../threads/threads.words.ts'
import styles from './found.module.css'
import { FoundMessage, useKnownNames } from './found-message.tsx'
import { useItemKeys } from './use-item-keys.ts'

/** The threads of the person, the one with the latest reply first. */
export function OwnThreads() {
  const text = useWords(foundTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const list = useList(listOwnThreads)
  const names = useKnownNames(list.items.map(({ message }) => message))
  const items = useItemKeys(text.threads)
  return (
    <Page title={text.threads} width="full" before={<BackButton />}>
      {list.isLoading && <Skeleton label={text.reading} />}
      {list.error && (
        <Problem
          title={textOfError(list.error, language)}
          action={<Button onPress={list.reload}>{text.again}</Button>}
        />
      )}
      {!list.isLoading && !list.error && list.items.length === 0 && (
        <Empty title={text.noThreads}>{text.noThreadsAbout}</Empty>
      )}
      {list.items.length > 0 && <p className={styles.about}>{text.threadsAbout}</p>}
      <ul ref={items}>
        {list.items.map(({ message, channel, unreadCount }) => (
          <FoundMessage
            key={message.id}
            message={message}
            names={names}
            {...(channel.name !== null && { channelTitle: channel.name })}
            href={`/o/${encodeURIComponent(address)}/channels/${channel.id}?thread=${message.id}&from=threads`}
            below={
              <span className={styles.below}>
                {text.replies(message.replyCount)}
                {message.lastReplyAt && (
                  <>
                    {' · '}
                    <Time value={message.lastReplyAt} />
                  </>
                )}
                {unreadCount > 0 && <span className={styles.new}>{text.unread(unreadCount)}</span>}
              </span>
            }
          />
        ))}
      </ul>
      <LoadMore
        hasMore={list.hasMore}
        isLoadingMore={list.isLoadingMore}
        loadMore={list.loadMore}
        shown={list.items.length}
        total={list.total}
      />
    </Page>
  )
}
