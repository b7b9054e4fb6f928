import { useState } from 'react'
import { scoreLead } from '#contract/crm/lead-moves.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { type Temperature, temperatures } from '#contract/crm/shapes.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Reason } from '../../parts/reason.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { type Lead, nameOfLead } from './lead.ts'
import { leadFieldTexts, temperatureTexts } from './lead.words.ts'
import { outcomeTexts } from './outcome.words.ts'

/** Sets the score and the warmth of a lead, with the reason. */
export function ScoreLeadDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const text = useWords(outcomeTexts)
  const fields = useWords(leadFieldTexts)
  const temperatureNames = useWords(temperatureTexts)
  const [score, setScore] = useState(lead.score ?? null)
  const [temperature, setTemperature] = useState(lead.temperature ?? null)
  const save = useAction(scoreLead)
  const name = nameOfLead(lead)
  const isSame = score === (lead.score ?? null) && temperature === (lead.temperature ?? null)
  return (
    <Dialog title={text.scoreTitle(name)} isOpen onClose={onClose} size="small">
      <ActionForm
        onSubmit={async ({ reason = '' }) => {
          if (isSame) return onClose()
          await save.mutateAsync({
            params: { id: lead.id },
            body: { score, temperature, ...(reason.trim() && { reason: reason.trim() }) },
          })
          showToast({ text: text.scored(name) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <NumberField label={fields.score} value={score} onChange={setScore} minimum={0} maximum={100} />
            <Choice<Temperature | 'none'>
              label={fields.temperature}
              options={[
                { value: 'none', label: text.none },
                ...temperatures.map(value => ({ value, label: temperatureNames[value] })),
              ]}
              value={temperature ?? 'none'}
              onChange={value => setTemperature(value === 'none' ? null : value)}
            />
            <Reason
              name="reason"
              label={text.reason}
              hint={text.reasonHint}
              maxLength={crmLimits.leadReason}
            />
            <FormActions onLeave={onClose} action={text.scoreAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
