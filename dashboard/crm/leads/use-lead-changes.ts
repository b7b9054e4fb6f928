import { scoreLead } from '#contract/crm/lead-moves.ts'
import { changeLeads } from '#contract/crm/team.ts'
import { useMay } from '../../data/organization.tsx'
import { useRowSelection } from '../../parts/row-selection.ts'
import { useWords } from '../../words/words.ts'
import type { Lead } from './lead.ts'
import { leadActionTexts } from './lead-action.words.ts'
import type { ChangedField, OpenDialog } from './open-dialog.ts'

/** The changes that the person may make to several leads of a list at once, with their keys, and the selection. */
export function useLeadChanges(
  leads: readonly Lead[],
  openLeadId: string | undefined,
  open: (dialog: OpenDialog) => void,
) {
  const text = useWords(leadActionTexts)
  const may = useMay()
  const { chosen, ...selection } = useRowSelection(leads, openLeadId)

  function change(field: ChangedField): void {
    const chosenLeads = chosen()
    if (chosenLeads.length > 0) open({ kind: 'change', field, leads: chosenLeads })
  }
  const fields = [
    { key: 's', field: 'status', isAllowed: may(changeLeads) },
    { key: 'a', field: 'assigneeId', isAllowed: may(changeLeads) },
    { key: 't', field: 'temperature', isAllowed: may(scoreLead) },
  ] as const
  const changes = fields
    .filter(({ isAllowed }) => isAllowed)
    .map(({ key, field }) => ({ key, label: text[field], action: () => change(field) }))
  return { changes, ...selection }
}
