import { useNavigate, useSearch } from '@tanstack/react-router'
import { searchMessages } from '#contract/chat/messages.ts'
import { limits } from '#contract/limits.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import { BackButton } from '../channels/back-button.tsx'
import { channelTexts } from '../channels/channels.words.ts'
import { useChannelsContext } from '../channels/channels-context.ts'
import { foundTexts } from '../threads/threads.words.ts'
import styles from './found.module.css'
import { FoundMessage, useKnownNames } from './found-message.tsx'
import type { MessageSearchParams } from './search-params.ts'
import { useItemKeys } from './use-item-keys.ts'

const everywhere = 'everywhere'

/** Finds messages by their words. The address holds the search, so that the way back from a message leads to it. */
export function MessageSearch() {
  const text = useWords(foundTexts)
  const { nobody } = useWords(channelTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const { q = '', channel } = useSearch({ from: '/o/$organization/channels/search' })
  const { list } = useChannelsContext()
  const search = q.trim()
  const found = useRead(
    searchMessages,
    { query: { search, ...(channel !== undefined && { channelId: channel }) } },
    { enabled: search !== '' },
  )
  const messages = found.data?.items ?? []
  const names = useKnownNames(messages)
  const items = useItemKeys(text.search)
  const change = (part: { [Key in keyof MessageSearchParams]: string | undefined }) =>
    void navigate({ to: '.', search: (former: object) => ({ ...former, ...part }) as never, replace: true })
  const back = new URLSearchParams({
    from: 'search',
    q: search,
    ...(channel !== undefined && { in: channel }),
  })
  const count = messages.length
  return (
    <Page title={text.search} width="full" before={<BackButton />}>
      <div className={styles.tools}>
        <SearchField
          label={text.searchField}
          value={q}
          maxLength={limits.search}
          onChange={value => change({ q: value || undefined })}
        />
        <Choice
          label={text.channel}
          isLabelHidden
          value={channel ?? everywhere}
          onChange={value => change({ channel: value === everywhere ? undefined : value })}
          options={[
            { value: everywhere, label: text.everywhere },
            ...list.items.map(one => ({ value: one.id, label: channelName(one, nobody) })),
          ]}
        />
      </div>
      {search === '' ? (
        <Empty title={text.search}>{text.searchAbout}</Empty>
      ) : found.isPending ? (
        <Skeleton label={text.reading} />
      ) : found.error ? (
        <Problem
          title={textOfError(found.error, language)}
          action={<Button onPress={() => void found.refetch()}>{text.again}</Button>}
        />
      ) : count === 0 ? (
        <Empty title={text.nothing}>{text.nothingAbout}</Empty>
      ) : (
        <p className={styles.count} role="status">
          {count < limits.messageSearchResults ? text.found(count) : text.foundMost(count)}
        </p>
      )}
      <ul ref={items}>
        {messages.map(message => (
          <FoundMessage
            key={message.id}
            message={message}
            names={names}
            href={`/o/${encodeURIComponent(address)}/channels/${message.channelId}?message=${message.id}&${back}`}
          />
        ))}
      </ul>
    </Page>
  )
}
