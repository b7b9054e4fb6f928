import { listLeads, searchLeads } from '#contract/crm/leads.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { eraseLead } from '#contract/crm/team.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useWords } from '../../words/words.ts'
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
  const name = nameOfLead(lead)
  return (
    <ConfirmAction
      operation={eraseLead}
      input={reason => ({ params: { id: lead.id }, body: { reason } })}
      // the details of an erased lead cannot be read any more
      refreshes={[listLeads, searchLeads]}
      title={text.eraseTitle(name)}
      action={text.eraseAction(name)}
      isDangerous
      nameToType={name}
      asksReason={{ maxLength: crmLimits.leadReason }}
      onClose={onClose}
      toast={({ contactErased, mandates }) => {
        const retained = mandates.filter(({ retainedBecause }) => retainedBecause !== null).length
        return [
          contactErased ? text.erasedBoth : text.erased,
          ...(retained > 0 ? [text.mandatesRetained(retained)] : []),
        ].join(' ')
      }}
      onDone={onErased}
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
    </ConfirmAction>
  )
}
