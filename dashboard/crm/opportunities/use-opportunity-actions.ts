import { type Opportunity, type OpportunityStatus, updateOpportunity } from '#contract/crm/opportunities.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { opportunityTexts } from './opportunities.words.ts'

/** The actions of an opportunity, for a menu: edit, win, lose, reopen. */
export function useOpportunityActions(
  edit: (opportunity: Opportunity) => void,
): (opportunity: Opportunity) => MenuEntry[] {
  const text = useWords(opportunityTexts)
  const language = useLanguage()
  const may = useMay()
  const update = useAction(updateOpportunity)

  async function setStatus({ id, title }: Opportunity, status: OpportunityStatus): Promise<void> {
    try {
      await update.mutateAsync({ params: { id }, body: { status } })
      const done = { WON: text.won, LOST: text.lost, OPEN: text.reopened }[status]
      showToast({ text: done(title) })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }

  return opportunity => {
    if (!may(updateOpportunity)) return []
    const isOpen = opportunity.status === 'OPEN'
    const editing: MenuEntry = {
      id: 'edit',
      label: text.edit,
      icon: 'edit',
      isDisabled: !isOpen,
      ...(!isOpen && { hint: text.isClosed }),
      onAction: () => edit(opportunity),
    }
    const change = (id: OpportunityStatus, label: string, icon: 'done' | 'blocked' | 'retry'): MenuEntry => ({
      id,
      label,
      icon,
      onAction: () => void setStatus(opportunity, id),
    })
    return isOpen
      ? [editing, change('WON', text.win, 'done'), change('LOST', text.lose, 'blocked')]
      : [editing, change('OPEN', text.reopen, 'retry')]
  }
}
