import { useState } from 'react'
import {
  type Agent,
  type AgentBudget,
  approveAgent,
  readAgentBudget,
  setAgentBudget,
} from '#contract/chat/agents.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { costText } from '../../parts/number-text.ts'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { capEffect } from './agent.rules.ts'
import styles from './agents.module.css'
import { agentTexts, budgetTexts } from './agents.words.ts'
import { type Cap, CapField } from './cap-field.tsx'
import { TaskLine } from './task-list.tsx'
import { agentReads } from './use-agent-actions.ts'

type Props = { agent: Agent; channelName: string; onClose: () => void }

/** Approves an agent, with the monthly cap of its application. */
export function ApproveDialog(props: Props) {
  const text = useWords(budgetTexts)
  const { reading } = useWords(agentTexts)
  const language = useLanguage()
  const { agent, onClose } = props
  const maySetCap = useMay()(setAgentBudget)
  const { data, error } = useRead(
    readAgentBudget,
    { params: { applicationId: agent.application.id } },
    { staleMs: 0, enabled: maySetCap },
  )
  return (
    <Dialog title={text.approveTitle(agent.name)} isOpen onClose={onClose}>
      {!maySetCap || data ? (
        <ApproveForm {...props} budget={data} />
      ) : error ? (
        <Notice kind="danger">{textOfError(error, language)}</Notice>
      ) : (
        <Skeleton rows={4} label={reading} />
      )}
    </Dialog>
  )
}

function ApproveForm({ agent, channelName, onClose, budget }: Props & { budget: AgentBudget | undefined }) {
  const text = useWords(budgetTexts)
  const language = useLanguage()
  const [cap, setCap] = useState<Cap>(budget?.capMicros ?? undefined)
  const [isCapSaved, setCapSaved] = useState(false)
  const approve = useAction(approveAgent, { refreshes: agentReads })
  const set = useAction(setAgentBudget, { refreshes: agentReads })
  const isChanged = budget !== undefined && cap !== undefined && cap !== budget.capMicros

  async function send(): Promise<void> {
    if (budget !== undefined && cap === undefined) return
    // the cap first, so that the agent never works without it
    if (isChanged && !isCapSaved) {
      await set.mutateAsync({ params: { applicationId: agent.application.id }, body: { capMicros: cap } })
      setCapSaved(true)
    }
    await approve.mutateAsync({ params: { agentId: agent.id } })
    showToast({ text: text.approved(agent.name) })
    onClose()
  }

  return (
    <ActionForm
      onSubmit={send}
      showError={error =>
        isCapSaved ? (
          <Notice kind="danger">
            {text.capIsSaved} {textOfError(error, language)}
          </Notice>
        ) : undefined
      }
    >
      {({ isBusy }) => (
        <>
          <p>{text.approveAbout(agent.application.name, channelName)}</p>
          <ul className={styles.plan}>
            {agent.tasks.map(task => (
              <li key={task.id}>
                <TaskLine task={task} />
              </li>
            ))}
          </ul>
          {budget ? (
            <CapField
              budget={budget}
              applicationName={agent.application.name}
              isFirstSuggested
              onChange={setCap}
            />
          ) : (
            <Notice>{text.capOfOthers}</Notice>
          )}
          {budget && cap !== undefined && ['pauses', 'staysPaused'].includes(capEffect(budget, cap)) && (
            <Notice kind="warn">{text.pausedAtOnce}</Notice>
          )}
          <FormActions
            onLeave={onClose}
            action={typeof cap === 'number' ? text.approveCapped(costText(cap, language)) : text.approve}
            isBusy={isBusy}
          />
        </>
      )}
    </ActionForm>
  )
}
