import { useState } from 'react'
import { scoreLead } from '#contract/crm/lead-moves.ts'
import { changeLeads } from '#contract/crm/team.ts'
import { useMay } from '../../data/organization.tsx'
import { useWords } from '../../words/words.ts'
import type { Lead } from './lead.ts'
import { leadActionTexts } from './lead-action.words.ts'
import type { ChangedField, OpenDialog } from './open-dialog.ts'

const nothing: ReadonlySet<string> = new Set()

/** The changes that the person may make to several leads of a list at once, with their keys, and the leads that are selected. */
export function useLeadChanges(
  leads: readonly Lead[],
  openLeadId: string | undefined,
  open: (dialog: OpenDialog) => void,
) {
  const text = useWords(leadActionTexts)
  const may = useMay()
  const [selection, select] = useState(nothing)
  // a lead that left the list is not selected any more
  const selected = leads.filter(({ id }) => selection.has(id))

  /** The selected leads; without a selection the one with the focus, or the open one. */
  function chosenLeads(): readonly Lead[] {
    if (selected.length > 0) return selected
    const focused = document.activeElement?.closest<HTMLElement>('[data-row-key]')?.dataset.rowKey
    return leads.filter(({ id }) => id === (focused ?? openLeadId))
  }
  function change(field: ChangedField): void {
    const chosen = chosenLeads()
    if (chosen.length > 0) open({ kind: 'change', field, leads: chosen })
  }
  const fields = [
    { key: 's', field: 'status', isAllowed: may(changeLeads) },
    { key: 'a', field: 'assigneeId', isAllowed: may(changeLeads) },
    { key: 't', field: 'temperature', isAllowed: may(scoreLead) },
  ] as const
  const changes = fields
    .filter(({ isAllowed }) => isAllowed)
    .map(({ key, field }) => ({ key, label: text[field], action: () => change(field) }))
  return { changes, selection, select, selectedCount: selected.length, clear: () => select(nothing) }
}
