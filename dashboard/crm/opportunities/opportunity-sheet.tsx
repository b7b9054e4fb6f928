import { type Opportunity, readOpportunity } from '#contract/crm/opportunities.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { opportunityTexts } from './opportunities.words.ts'
import { OpportunityDetail } from './opportunity-detail.tsx'

/** An opportunity beside its list. */
export function OpportunitySheet({
  id,
  listed,
  actionsOf,
  ...sheet
}: {
  id: string
  /** The opportunity, if the list has it; else it is read. */
  listed: Opportunity | undefined
  actionsOf: (opportunity: Opportunity) => MenuEntry[]
  pageHref: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(opportunityTexts)
  const read = useRead(readOpportunity, { params: { id } }, { enabled: listed === undefined })
  const opportunity = listed ?? read.data
  if (!opportunity)
    return (
      <Sheet {...sheet} title={text.opportunity}>
        <ReadingSection error={read.error} label={text.reading} />
      </Sheet>
    )
  return (
    <Sheet
      {...sheet}
      title={opportunity.title}
      menu={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries: actionsOf(opportunity) }]} />}
    >
      <OpportunityDetail opportunity={opportunity} />
    </Sheet>
  )
}
