import { useParams, useSearch } from '@tanstack/react-router'
import { readChannel } from '#contract/chat/channels.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { ChannelAgents } from '../agents/channel-agents.tsx'
import { type Channel, channelName } from '../channel.rules.ts'
import { ChannelApplications } from '../grants/channel-applications.tsx'
import { ChannelMembers } from '../members/channel-members.tsx'
import { type PeoplePanelName, peoplePanelNames } from '../panel.ts'
import { useChannelHref } from '../use-channel-href.ts'
import { ChannelStep, NotInChannel } from './channel-head.tsx'
import styles from './governed.module.css'
import { governedTexts } from './governed.words.ts'

/**
 * The people, applications and agents of a channel as a page: also for administrators of the organization, who manage
 * channels that they are not in.
 */
export function ChannelPeople() {
  const text = useWords(governedTexts)
  const language = useLanguage()
  const { channelId } = useParams({ from: '/o/$organization/channels/$channelId/people' })
  const search = useSearch({ from: '/o/$organization/channels/$channelId/people' })
  const { caller } = useOrganization()
  const { peopleHref } = useChannelHref()
  const { data: channel, error } = useRead(readChannel, { params: { id: channelId } })
  // a person who knows the channel from the directory alone sees its people, and no more
  const isInside = channel !== undefined && (channel.role !== null || caller.isAdministrator)
  const panels = isInside ? peoplePanelNames : peoplePanelNames.slice(0, 1)
  const panel = (isInside && search.panel) || 'members'
  const titles = { members: text.people, applications: text.applications, agents: text.agents }
  return (
    <Page
      title={channel ? channelName(channel) : text.channel}
      actions={channel && <ChannelStep channel={channel} />}
      below={
        <Tabs
          label={text.parts}
          tabs={panels.map(id => ({ id, title: titles[id], href: peopleHref(channelId, id) }))}
          current={panel}
        />
      }
    >
      {channel ? (
        <div className={styles.facts}>
          <NotInChannel channel={channel} />
          <Panel panel={panel} channel={channel} />
        </div>
      ) : error ? (
        <Problem title={textOfError(error, language)} />
      ) : (
        <Skeleton rows={6} label={text.reading} />
      )}
    </Page>
  )
}

function Panel({ panel, channel }: { panel: PeoplePanelName; channel: Channel }) {
  if (panel === 'applications') return <ChannelApplications channel={channel} level={2} />
  if (panel === 'agents') return <ChannelAgents channel={channel} level={2} />
  return <ChannelMembers channel={channel} />
}
