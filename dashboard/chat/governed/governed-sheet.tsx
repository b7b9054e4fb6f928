import { readChannel } from '#contract/chat/channels.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import { ChannelMembers } from '../members/channel-members.tsx'
import type { PeoplePanelName } from '../panel.ts'
import { Part } from '../part.tsx'
import { peoplePanels } from '../people-panels.ts'
import { useChannelHref } from '../use-channel-href.ts'
import { ChannelStep, NotInChannel } from './channel-head.tsx'
import styles from './governed.module.css'
import { governedTexts } from './governed.words.ts'
import { typeText } from './governed-columns.tsx'

/** A channel beside the list of all channels: its facts and its people. */
export function GovernedSheet({
  id,
  panel,
  onPanel,
  ...sheet
}: {
  id: string
  /** The part of the channel that is shown instead of its facts. */
  panel: PeoplePanelName | undefined
  onPanel: (panel: PeoplePanelName | undefined) => void
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(governedTexts)
  const { peopleHref } = useChannelHref()
  const { data: channel, error } = useRead(readChannel, { params: { id } })
  if (!channel)
    return (
      <Sheet {...sheet} title={text.channel}>
        <ReadingSection error={error} label={text.reading} />
      </Sheet>
    )
  if (panel) {
    const Panel = peoplePanels[panel]
    return <Panel channel={channel} onClose={() => onPanel(undefined)} />
  }
  const { type, role, isDiscoverable, archivedAt, createdAt, lastMessageAt } = channel
  return (
    <Sheet
      {...sheet}
      title={channelName(channel)}
      about={channel.description}
      actions={<ChannelStep channel={channel} />}
      pageHref={peopleHref(id, 'members')}
    >
      <SheetSection>
        <div className={styles.facts}>
          <NotInChannel channel={channel} />
          <Facts
            facts={[
              {
                term: text.type,
                value: isDiscoverable
                  ? `${typeText(type, text)}, ${text.discoverable}`
                  : typeText(type, text),
              },
              { term: text.role, value: role ? text[role] : text.notIn },
              { term: text.created, value: <Time value={createdAt} form="date" /> },
              { term: text.last, value: lastMessageAt && <Time value={lastMessageAt} form="moment" /> },
              { term: text.archivedAt, value: archivedAt && <Time value={archivedAt} form="moment" /> },
            ]}
          />
          <div className={styles.parts}>
            {(['applications', 'agents'] as const).map(name => (
              <Button
                key={name}
                icon={name === 'agents' ? 'lightning' : 'applications'}
                size="small"
                onPress={() => onPanel(name)}
                onHoverStart={peoplePanels[name].preload}
                onFocus={peoplePanels[name].preload}
              >
                {text[name]}
              </Button>
            ))}
          </div>
        </div>
      </SheetSection>
      <SheetSection>
        <Part title={text.people} level={3}>
          <ChannelMembers channel={channel} />
        </Part>
      </SheetSection>
    </Sheet>
  )
}
