import { useState } from 'react'
import { disqualifyLead } from '#contract/crm/lead-moves.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { useWords } from '../../words/words.ts'
import { type Lead, nameOfLead } from './lead.ts'
import styles from './leads.module.css'
import { outcomeTexts } from './outcome.words.ts'

/** Asks why a lead is lost. */
export function DisqualifyLeadDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const text = useWords(outcomeTexts)
  const [source, setSource] = useState<'manual' | 'bounce'>('manual')
  const name = nameOfLead(lead)
  return (
    <ConfirmAction
      operation={disqualifyLead}
      input={reason => ({ params: { id: lead.id }, body: { reason, source } })}
      title={text.disqualifyTitle(name)}
      action={text.disqualifyAction(name)}
      isDangerous
      asksReason={{ maxLength: crmLimits.leadReason }}
      onClose={onClose}
      toast={() => text.disqualified(name)}
    >
      <div className={styles.stack}>
        <p>{text.disqualifyAbout}</p>
        <RadioGroup
          label={text.why}
          options={[
            { value: 'manual', label: text.manual },
            { value: 'bounce', label: text.bounce },
          ]}
          value={source}
          onChange={setSource}
        />
      </div>
    </ConfirmAction>
  )
}
