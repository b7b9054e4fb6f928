import { listLeadDuplicates } from '#contract/crm/team.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Notice } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useWords } from '../../words/words.ts'
import { nameOfLead } from './lead.ts'
import { LeadStatus } from './lead-status.tsx'
import styles from './leads.module.css'
import { outcomeTexts } from './outcome.words.ts'

/** Names the other leads with the e-mail or the telephone of a lead; nothing if there are none. */
export function Duplicates({ leadId }: { leadId: string }) {
  const text = useWords(outcomeTexts)
  const may = useMay()
  const { address } = useOrganization()
  const { data } = useRead(
    listLeadDuplicates,
    { params: { id: leadId } },
    { enabled: may(listLeadDuplicates) },
  )
  if (!data || data.items.length === 0) return null
  return (
    <Notice kind="warn">
      <p>{text.duplicates(data.items.length)}</p>
      <ul className={styles.list}>
        {data.items.map(({ lead, matchedOn }) => (
          <li key={lead.id}>
            <TextLink href={`/o/${encodeURIComponent(address)}/leads/${lead.id}`}>
              {nameOfLead(lead)}
            </TextLink>{' '}
            <LeadStatus status={lead.status} />{' '}
            <span className={styles.quiet}>{matchedOn === 'email' ? text.sameEmail : text.samePhone}</span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
