import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { type Channel, channelName } from '../channel.rules.ts'
import { useChannelHref } from '../use-channel-href.ts'
import { ChannelMembers } from './channel-members.tsx'
import { channelMemberTexts } from './members.words.ts'

/** The people of a channel, in a sheet over it. */
export function MembersPanel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const text = useWords(channelMemberTexts)
  const { peopleHref } = useChannelHref()
  return (
    <Sheet
      title={text.title}
      about={channelName(channel)}
      pageHref={peopleHref(channel.id, 'members')}
      onClose={onClose}
    >
      <SheetSection>
        <ChannelMembers channel={channel} />
      </SheetSection>
    </Sheet>
  )
}
