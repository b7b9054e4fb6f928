import { useState } from 'react'
import { convertLead } from '#contract/crm/lead-moves.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Reason } from '../../parts/reason.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { ClientField } from '../client-field.tsx'
import { Duplicates } from './duplicates.tsx'
import { type Lead, nameOfLead } from './lead.ts'
import styles from './leads.module.css'
import { outcomeTexts } from './outcome.words.ts'

type Client = { id: string; name: string }

/** Converts a lead, and shows the result before: a client, a contact, an opportunity. */
export function ConvertLeadDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const text = useWords(outcomeTexts)
  const lacks = useWords(lacksTexts)
  const [target, setTarget] = useState<'new' | 'existing'>('new')
  const [client, setClient] = useState<Client>()
  const [hasOpportunity, setOpportunity] = useState(false)
  const [reason, setReason] = useState('')
  const convert = useAction(convertLead)
  const name = nameOfLead(lead)
  const newName = lead.company || name
  const length = [...reason.trim()].length
  const missing =
    (target === 'existing' && client === undefined && lacks.client) ||
    (length < crmLimits.leadConvertReasonMin && lacks.reason(crmLimits.leadConvertReasonMin))
  return (
    <Dialog title={text.convertTitle(name)} isOpen onClose={onClose}>
      <ActionForm
        lacks={missing}
        onSubmit={async () => {
          await convert.mutateAsync({
            params: { id: lead.id },
            body: {
              reason: reason.trim(),
              createOpportunity: hasOpportunity,
              ...(target === 'existing' && client && { targetClientId: client.id }),
            },
          })
          showToast({ text: text.converted(name) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <div className={styles.stack}>
            <Duplicates leadId={lead.id} />
            <RadioGroup
              label={text.client}
              options={[
                { value: 'new', label: text.newClient(newName) },
                { value: 'existing', label: text.otherClient },
              ]}
              value={target}
              onChange={setTarget}
            />
            {target === 'existing' && (
              <ClientField
                label={text.findClient}
                value={client?.id ?? null}
                onChange={(id, name) => setClient(id === null ? undefined : { id, name })}
                isRequired
              />
            )}
            <Checkbox isSelected={hasOpportunity} onChange={setOpportunity}>
              {text.opportunity}
            </Checkbox>
            <div>
              <p className={styles.subtitle}>{text.comesOf}</p>
              <ul className={styles.list}>
                {target === 'new' ? (
                  <>
                    <li>{text.becomesClient(newName)}</li>
                    <li>{text.becomesContact(name)}</li>
                  </>
                ) : (
                  <>
                    {client && <li>{text.joinsClient(client.name)}</li>}
                    <li>{text.becomesContact(name)}</li>
                    <li>{text.reusesContact}</li>
                  </>
                )}
                {hasOpportunity && <li>{text.becomesOpportunity}</li>}
                <li>{text.becomesWon}</li>
              </ul>
            </div>
            <Reason
              label={text.convertReason}
              hint={text.convertReasonHint(crmLimits.leadConvertReasonMin)}
              maxLength={crmLimits.leadConvertReason}
              isRequired
              value={reason}
              onChange={setReason}
            />
            <FormActions onLeave={onClose} action={text.convertAction(name)} isBusy={isBusy} />
          </div>
        )}
      </ActionForm>
    </Dialog>
  )
}
