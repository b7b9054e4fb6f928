import type { OpportunityStatus as StatusOfOpportunity } from '#contract/crm/opportunities.ts'
import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { opportunityTexts } from './opportunities.words.ts'

const icons: Readonly<Record<StatusOfOpportunity, { icon: IconName; kind?: StatusKind }>> = {
  OPEN: { icon: 'half' },
  WON: { icon: 'done', kind: 'done' },
  LOST: { icon: 'blocked', kind: 'quiet' },
}

/** The status of an opportunity: an icon and a word. */
export function OpportunityStatus({ status }: { status: StatusOfOpportunity }) {
  const text = useWords(opportunityTexts)
  return <Status {...icons[status]}>{text[status]}</Status>
}
