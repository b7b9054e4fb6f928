import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { listMentions, readMessage } from '#contract/chat/messages.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { BackButton } from '../channels/back-button.tsx'
import { messageTexts } from '../messages/message.words.ts'
import { foundTexts } from '../threads/threads.words.ts'
import { FoundMessage, useKnownNames } from './found-message.tsx'
import { useItemKeys } from './use-item-keys.ts'

/** The messages that mention the person, newest first. An item of the inbox leads through here to its message. */
export function Mentions() {
  const text = useWords(foundTexts)
  const { notThere } = useWords(messageTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const { open } = useSearch({ from: '/o/$organization/channels/mentions' })
  const list = useList(listMentions)
  const names = useKnownNames(list.items)
  const items = useItemKeys(text.mentions)
  const opened = useRead(readMessage, { params: { messageId: open ?? '' } }, { enabled: open !== undefined })
  const hrefOf = (channelId: string, id: string) =>
    `/o/${encodeURIComponent(address)}/channels/${channelId}?message=${id}&from=mentions`
  const target = opened.data && open !== undefined ? hrefOf(opened.data.channelId, open) : undefined
  useEffect(() => {
    if (target !== undefined) void navigate({ to: target, replace: true })
  }, [navigate, target])
  return (
    <Page title={text.mentions} width="full" before={<BackButton />}>
      {opened.error && <Notice kind="warn">{notThere}</Notice>}
      {list.isLoading && <Skeleton label={text.reading} />}
      {list.error && (
        <Problem
          title={textOfError(list.error, language)}
          action={<Button onPress={list.reload}>{text.again}</Button>}
        />
      )}
      {!list.isLoading && !list.error && list.items.length === 0 && (
        <Empty title={text.noMentions}>{text.noMentionsAbout}</Empty>
      )}
      <ul ref={items}>
        {list.items.map(message => (
          <FoundMessage
            key={message.id}
            message={message}
            names={names}
            href={hrefOf(message.channelId, message.id)}
          />
        ))}
      </ul>
      <LoadMore hasMore={list.hasMore} isLoadingMore={list.isLoadingMore} loadMore={list.loadMore} />
    </Page>
  )
}
