import { useState } from 'react'
import { disqualifyLead } from '#contract/crm/lead-moves.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Lead, nameOfLead } from './lead.ts'
import styles from './leads.module.css'
import { outcomeTexts } from './outcome.words.ts'

/** Asks why a lead is lost. */
export function DisqualifyLeadDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const text = useWords(outcomeTexts)
  const language = useLanguage()
  const [source, setSource] = useState<'manual' | 'bounce'>('manual')
  const disqualify = useAction(disqualifyLead)
  const name = nameOfLead(lead)
  return (
    <Confirm
      title={text.disqualifyTitle(name)}
      action={text.disqualifyAction(name)}
      isOpen
      isDangerous
      isBusy={disqualify.isPending}
      asksReason={{ maxLength: crmLimits.leadReason }}
      onClose={onClose}
      onConfirm={reason =>
        disqualify.mutate(
          { params: { id: lead.id }, body: { reason, source } },
          {
            onSuccess: () => {
              showToast({ text: text.disqualified(name) })
              onClose()
            },
          },
        )
      }
      {...(disqualify.error && {
        error: <Notice kind="danger">{textOfError(disqualify.error, language)}</Notice>,
      })}
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
    </Confirm>
  )
}
