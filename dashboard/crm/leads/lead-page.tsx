import { useNavigate, useParams } from '@tanstack/react-router'
import { readLead } from '#contract/crm/leads.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { nameOfLead } from './lead.ts'
import { useLeadControls } from './lead-actions.tsx'
import { LeadDetails } from './lead-details.tsx'
import { leadDetailTexts } from './lead-details.words.ts'
import { LeadDialogs } from './lead-dialogs.tsx'
import { listHref } from './lead-search.ts'
import styles from './leads.module.css'

const keys = ['e', 's', 'a', 't', 'v']

/** A lead as a page. */
export function LeadPage() {
  const text = useWords(leadDetailTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const { leadId } = useParams({ from: '/o/$organization/leads/$leadId' })
  const { data: lead, error } = useRead(readLead, {
    params: { id: leadId },
    query: { include: ['scoring', 'notes'] },
  })
  const { open, close, menu, primary } = useLeadControls(lead, keys)
  const about = lead && nameOfLead(lead) !== lead.company ? lead.company : null
  const toList = <ButtonLink href={listHref(address)}>{text.list}</ButtonLink>
  return (
    <Page
      title={lead ? nameOfLead(lead) : text.lead}
      beside={about && <span className={styles.quiet}>{about}</span>}
      actions={
        <>
          {menu}
          {primary}
        </>
      }
    >
      {lead ? (
        <LeadDetails lead={lead} isPage />
      ) : error ? (
        <Problem title={textOfError(error, language)} action={toList} />
      ) : (
        <Skeleton rows={6} label={text.reading} />
      )}
      <LeadDialogs open={open} onClose={close} onErased={() => void navigate({ to: listHref(address) })} />
    </Page>
  )
}
