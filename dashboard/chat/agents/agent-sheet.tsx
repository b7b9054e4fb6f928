import type { Agent } from '#contract/chat/agents.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import { useChannelHref } from '../use-channel-href.ts'
import { AgentButtons, AgentMenu } from './agent-actions.tsx'
import { AgentDetail } from './agent-detail.tsx'
import { agentTexts } from './agents.words.ts'
import { useAgent } from './use-agent.ts'
import type { AgentDialog, DecidedAgent } from './use-agent-actions.ts'

/** An agent beside the list of agents. */
export function AgentSheet({
  id,
  listed,
  actionsOf,
  open,
  ...sheet
}: {
  id: string
  listed: Agent | undefined
  actionsOf: (decided: DecidedAgent) => MenuEntry[]
  open: (dialog: AgentDialog) => void
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(agentTexts)
  const { agentHref } = useChannelHref()
  const { agent, channel, error, mayDecide } = useAgent(id, listed)
  if (!agent || !channel)
    return (
      <Sheet {...sheet} title={agent?.name ?? text.agent}>
        <ReadingSection error={error} label={text.reading} />
      </Sheet>
    )
  const name = channelName(channel)
  const entries = actionsOf({ agent, channelName: name, mayDecide })
  return (
    <Sheet
      {...sheet}
      title={agent.name}
      about={`${agent.application.name} · ${name}`}
      actions={<AgentButtons entries={entries} />}
      menu={<AgentMenu entries={entries} />}
      pageHref={agentHref(id)}
    >
      <SheetSection>
        <AgentDetail
          agent={agent}
          channel={channel}
          level={3}
          mayDecide={mayDecide}
          onChangeBudget={() => open({ kind: 'budget', agent, channelName: name })}
        />
      </SheetSection>
    </Sheet>
  )
}
