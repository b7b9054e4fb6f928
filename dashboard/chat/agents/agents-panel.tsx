import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { type Channel, channelName } from '../channel.rules.ts'
import { useChannelHref } from '../use-channel-href.ts'
import { agentTexts } from './agents.words.ts'
import { ChannelAgents } from './channel-agents.tsx'

/** The agents of a channel, in a sheet over it. */
export function AgentsPanel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const text = useWords(agentTexts)
  const { peopleHref } = useChannelHref()
  return (
    <Sheet
      title={text.title}
      about={channelName(channel)}
      pageHref={peopleHref(channel.id, 'agents')}
      onClose={onClose}
    >
      <SheetSection>
        <ChannelAgents channel={channel} level={3} />
      </SheetSection>
    </Sheet>
  )
}
