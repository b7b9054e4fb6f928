import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { type Channel, channelName } from '../channel.rules.ts'
import { useChannelHref } from '../use-channel-href.ts'
import { ChannelApplications } from './channel-applications.tsx'
import { grantTexts } from './grants.words.ts'

/** The applications of a channel, in a sheet over it. */
export function ApplicationsPanel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const text = useWords(grantTexts)
  const { peopleHref } = useChannelHref()
  return (
    <Sheet
      title={text.title}
      about={channelName(channel)}
      pageHref={peopleHref(channel.id, 'applications')}
      onClose={onClose}
    >
      <SheetSection>
        <ChannelApplications channel={channel} level={3} />
      </SheetSection>
    </Sheet>
  )
}
