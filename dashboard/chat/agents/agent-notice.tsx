import { type Agent, readAgentBudget, setAgentBudget } from '#contract/chat/agents.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { useMinute } from '../../parts/clock.ts'
import { costText } from '../../parts/number-text.ts'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { stateOf, timeLeft } from './agent.rules.ts'
import { ProposalClock } from './agent-status.tsx'
import styles from './agents.module.css'
import { agentTexts } from './agents.words.ts'

/** Why an agent does not work now, and what makes it work. */
export function AgentNotice({
  agent,
  mayDecide,
  onChangeBudget,
}: {
  agent: Agent
  mayDecide: boolean
  onChangeBudget: () => void
}) {
  const text = useWords(agentTexts)
  const now = useMinute()
  const state = stateOf(agent)
  if (state === 'PENDING_APPROVAL')
    return (
      <Notice kind={timeLeft(agent.expiresAt, now).isSoon ? 'warn' : 'info'}>
        {text.waits(agent.application.name)} <ProposalClock expiresAt={agent.expiresAt} />.{' '}
        {!mayDecide && text.decidesWho}
      </Notice>
    )
  if (state === 'PAUSED_BUDGET') return <OverBudget agent={agent} onChangeBudget={onChangeBudget} />
  if (state === 'PAUSED') return <Notice>{text.pausedAbout}</Notice>
  if (state === 'EXPIRED') return <Notice>{text.expiredAbout}</Notice>
  if (state === 'WITHDRAWN') return <Notice>{text.withdrawnAbout}</Notice>
  if (state === 'REJECTED')
    return (
      <Notice>
        {agent.decidedBy && text.rejectedBy(agent.decidedBy.displayName)}{' '}
        {agent.statusNote && (
          <span>
            {text.rejectedNote}: “{agent.statusNote}”
          </span>
        )}
      </Notice>
    )
  return null
}

function OverBudget({ agent, onChangeBudget }: { agent: Agent; onChangeBudget: () => void }) {
  const text = useWords(agentTexts)
  const language = useLanguage()
  const may = useMay()
  const { data } = useRead(
    readAgentBudget,
    { params: { applicationId: agent.application.id } },
    { enabled: may(readAgentBudget) },
  )
  return (
    <Notice kind="warn">
      <div className={styles.repair}>
        <span>
          {data && data.capMicros !== null
            ? text.budgetAbout(costText(data.spentMicros, language), costText(data.capMicros, language))
            : text.budgetAboutBare}
        </span>
        {may(setAgentBudget) && (
          <Button size="small" onPress={onChangeBudget}>
            {text.raiseCap}
          </Button>
        )}
      </div>
    </Notice>
  )
}
