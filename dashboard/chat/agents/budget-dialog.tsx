import { useState } from 'react'
import { type Agent, type AgentBudget, readAgentBudget, setAgentBudget } from '#contract/chat/agents.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useAction, useRead } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { capEffect } from './agent.rules.ts'
import { agentTexts, budgetTexts } from './agents.words.ts'
import { type Cap, CapField } from './cap-field.tsx'
import { agentReads } from './use-agent-actions.ts'

type Props = { application: Agent['application']; onClose: () => void }

/** Sets the monthly cap that all agents of an application share, and says before what it does to them. */
export function BudgetDialog(props: Props) {
  const text = useWords(budgetTexts)
  const { reading } = useWords(agentTexts)
  const language = useLanguage()
  const { application, onClose } = props
  const budget = useRead(readAgentBudget, { params: { applicationId: application.id } }, { staleMs: 0 })
  return (
    <Dialog title={text.dialogTitle(application.name)} isOpen onClose={onClose} size="small">
      {budget.data ? (
        <BudgetForm {...props} budget={budget.data} />
      ) : budget.error ? (
        <Notice kind="danger">{textOfError(budget.error, language)}</Notice>
      ) : (
        <Skeleton rows={3} label={reading} />
      )}
    </Dialog>
  )
}

function BudgetForm({ application, onClose, budget }: Props & { budget: AgentBudget }) {
  const text = useWords(budgetTexts)
  const [cap, setCap] = useState<Cap>(budget.capMicros)
  const set = useAction(setAgentBudget, { refreshes: agentReads })
  async function send(): Promise<void> {
    if (cap === undefined) return
    await set.mutateAsync({ params: { applicationId: application.id }, body: { capMicros: cap } })
    showToast({ text: text.saved(application.name) })
    onClose()
  }
  return (
    <ActionForm onSubmit={send}>
      {({ isBusy }) => (
        <>
          <CapField budget={budget} applicationName={application.name} onChange={setCap} />
          <CapEffect budget={budget} cap={cap} />
          <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
        </>
      )}
    </ActionForm>
  )
}

/** The effect of the cap on the agents once it is saved. */
function CapEffect({ budget, cap }: { budget: AgentBudget; cap: Cap }) {
  const text = useWords(budgetTexts)
  if (cap === undefined || cap === budget.capMicros) return null
  const effect = capEffect(budget, cap)
  return (
    <div aria-live="polite">
      {effect !== 'none' && <Notice kind={effect === 'resumes' ? 'done' : 'warn'}>{text[effect]}</Notice>}
    </div>
  )
}
