import { useState } from 'react'
import { type Agent, rejectAgent } from '#contract/chat/agents.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { budgetTexts } from './agents.words.ts'
import { agentReads } from './use-agent-actions.ts'

/** Rejects a proposed agent, with a reason for its application. */
export function RejectDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const text = useWords(budgetTexts)
  const [note, setNote] = useState('')
  const reject = useAction(rejectAgent, { refreshes: agentReads })
  async function send(): Promise<void> {
    await reject.mutateAsync({
      params: { agentId: agent.id },
      body: { ...(note.trim() !== '' && { note: note.trim() }) },
    })
    showToast({ text: text.rejected(agent.name) })
    onClose()
  }
  return (
    <Dialog title={text.rejectTitle(agent.name)} isOpen onClose={onClose}>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <p>{text.rejectAbout}</p>
            <Reason
              label={text.note}
              hint={text.noteHint}
              maxLength={limits.agentNote}
              value={note}
              onChange={setNote}
            />
            <FormActions onLeave={onClose} action={text.reject} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
