import { Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { openDirectConversation } from '#contract/chat/channels.ts'
import { useCommands } from '../../data/commands.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { late } from '../../parts/late.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import { nextUnread } from './channel.rules.ts'
import { ChannelList } from './channel-list.tsx'
import styles from './channels.module.css'
import { channelTexts } from './channels.words.ts'
import { ChannelsContext } from './channels-context.ts'
import { useChannels } from './use-channels.ts'

const NewConversation = late(() =>
  import('./new-conversation-dialog.tsx').then(dialog => dialog.NewConversationDialog),
)

/** The list of the channels beside what is open; on a phone one after the other. */
export function ChannelsFrame() {
  const text = useWords(channelTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const { address } = useOrganization()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const { channelId } = useParams({ strict: false })
  const hasSearchField = useLocation({ select: ({ pathname }) => /\/(search|directory)$/.test(pathname) })
  const { list, mentions } = useChannels()
  const [isCreating, setCreating] = useState(false)
  const next = nextUnread(list.items, channelId)
  const hrefOf = (id: string) => `/o/${encodeURIComponent(address)}/channels/${id}`
  const open = (id: string) => void navigate({ to: hrefOf(id) })
  const create = () => setCreating(true)
  const mayCreate = may(openDirectConversation)

  useShortcuts(
    {
      n: next && { label: text.nextUnread, action: () => open(next.id) },
      c: mayCreate ? { label: actionText['create-conversation'], action: create } : undefined,
      // a search field of the screen has the key
      '/': hasSearchField
        ? undefined
        : {
            label: text.search,
            action: () => void navigate({ to: `/o/${encodeURIComponent(address)}/channels/search` }),
          },
    },
    text.title,
  )
  useCommands([
    ...list.items.map(channel => ({
      id: `channel-${channel.id}`,
      label: channelName(channel, text.nobody),
      icon: 'channels' as const,
      href: hrefOf(channel.id),
    })),
    ...(mayCreate
      ? [
          {
            id: 'create-conversation',
            label: actionText['create-conversation'],
            icon: 'plus' as const,
            shortcut: 'c',
            action: create,
          },
        ]
      : []),
  ])
  return (
    <ChannelsContext value={{ list, mentions, next, create: mayCreate ? create : undefined }}>
      <div className={styles.frame}>
        {!isPhone && (
          <aside aria-label={text.list} className={styles.aside}>
            <ChannelList />
          </aside>
        )}
        <div className={styles.open}>
          <Outlet />
        </div>
      </div>
      {isCreating && <NewConversation onClose={() => setCreating(false)} onOpened={open} />}
    </ChannelsContext>
  )
}
