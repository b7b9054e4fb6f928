import type { OwnChannel } from '#contract/chat/channels.ts'
import { Button } from '../../parts/button.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { useWords } from '../../words/words.ts'
import { type PanelName, panelNames } from '../panel.ts'
import { channelPanels } from '../panels.ts'
import { panelTexts } from '../panels.words.ts'
import { channelTexts } from './channels.words.ts'

const icons: Readonly<Record<PanelName, IconName>> = {
  members: 'people',
  applications: 'applications',
  agents: 'lightning',
  settings: 'settings',
}

/** The buttons in the head of a channel that open what lies beside it. */
export function ChannelActions({
  channel,
  onOpen,
}: {
  channel: OwnChannel
  onOpen: (panel: PanelName) => void
}) {
  const text = useWords(channelTexts)
  const labels = useWords(panelTexts)
  const isPhone = useIsPhone()
  const isManaged = channel.type === 'CHANNEL' || channel.type === 'GROUP'
  // direct and portal conversations have neither applications nor agents
  const shown = panelNames.filter(
    name => channelPanels[name] && (isManaged || name === 'settings' || name === 'members'),
  )
  if (isPhone)
    return (
      <MoreMenu
        label={text.panels}
        groups={[
          {
            id: 'panels',
            entries: shown.map(id => ({
              id,
              label: labels[id],
              icon: icons[id],
              onAction: () => onOpen(id),
            })),
          },
        ]}
      />
    )
  return shown.map(id => (
    <Button key={id} kind="quiet" icon={icons[id]} onPress={() => onOpen(id)}>
      {labels[id]}
    </Button>
  ))
}
