import { readLead } from '#contract/crm/leads.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { nameOfLead } from './lead.ts'
import { useLeadControls } from './lead-actions.tsx'
import { LeadDetails } from './lead-details.tsx'
import { leadDetailTexts } from './lead-details.words.ts'
import { LeadDialogs } from './lead-dialogs.tsx'

/** The keys of the open lead; `s`, `a` and `t` belong to the list, which may have a selection. */
const keys = ['e', 'v']

/** A lead beside the list. */
export function LeadSheet({
  leadId,
  onClose,
  onPrevious,
  onNext,
}: {
  leadId: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(leadDetailTexts)
  const { address } = useOrganization()
  const { data: lead, error } = useRead(readLead, {
    params: { id: leadId },
    query: { include: ['scoring', 'notes'] },
  })
  const { open, close, menu, primary } = useLeadControls(lead, keys)
  const about = lead && nameOfLead(lead) !== lead.company ? lead.company : undefined
  return (
    <>
      <Sheet
        title={lead ? nameOfLead(lead) : text.lead}
        {...(about && { about })}
        pageHref={`/o/${encodeURIComponent(address)}/leads/${leadId}`}
        menu={menu}
        actions={primary}
        onClose={onClose}
        onPrevious={onPrevious}
        onNext={onNext}
      >
        {lead ? <LeadDetails lead={lead} /> : <ReadingSection error={error} label={text.reading} />}
      </Sheet>
      <LeadDialogs open={open} onClose={close} onErased={onClose} />
    </>
  )
}
