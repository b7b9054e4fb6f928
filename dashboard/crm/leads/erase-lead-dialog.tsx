import { listLeads, searchLeads } from '#contract/crm/leads.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { eraseLead } from '#contract/crm/team.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Lead, nameOfLead } from './lead.ts'
import styles from './leads.module.css'
import { outcomeTexts } from './outcome.words.ts'

/** Asks before the personal data of a lead is erased: the person types the name and gives a reason. */
export function EraseLeadDialog({
  lead,
  onClose,
  onErased,
}: {
  lead: Lead
  onClose: () => void
  onErased: () => void
}) {
  const text = useWords(outcomeTexts)
  const language = useLanguage()
  // the details of an erased lead cannot be read any more
  const erase = useAction(eraseLead, { refreshes: [listLeads, searchLeads] })
  const name = nameOfLead(lead)
  return (
    <Confirm
      title={text.eraseTitle(name)}
      action={text.eraseAction(name)}
      isOpen
      isDangerous
      isBusy={erase.isPending}
      nameToType={name}
      asksReason={{ maxLength: crmLimits.leadReason }}
      onClose={onClose}
      onConfirm={reason =>
        erase.mutate(
          { params: { id: lead.id }, body: { reason } },
          {
            onSuccess: ({ contactErased, mandates }) => {
              const retained = mandates.filter(({ retainedBecause }) => retainedBecause !== null).length
              showToast({
                text: [
                  contactErased ? text.erasedBoth : text.erased,
                  ...(retained > 0 ? [text.mandatesRetained(retained)] : []),
                ].join(' '),
              })
              onClose()
              onErased()
            },
          },
        )
      }
      {...(erase.error && { error: <Notice kind="danger">{textOfError(erase.error, language)}</Notice> })}
    >
      <div className={styles.stack}>
        <p>{text.eraseGoes}</p>
        <ul className={styles.list}>
          <li>{text.eraseLead}</li>
          <li>{text.eraseReasons}</li>
          {lead.contactId !== null && <li>{text.eraseContact}</li>}
          {lead.clientId !== null && <li>{text.eraseMandates}</li>}
        </ul>
        <p>{text.eraseStays}</p>
      </div>
    </Confirm>
  )
}
