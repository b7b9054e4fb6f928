import { useState } from 'react'
import { convertLead } from '#contract/crm/lead-moves.ts'
import { useMay } from '../../data/organization.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { useWords } from '../../words/words.ts'
import { type Lead, nameOfLead } from './lead.ts'
import { leadActionTexts } from './lead-action.words.ts'
import { leadDetailTexts } from './lead-details.words.ts'
import type { OpenDialog } from './open-dialog.ts'
import { useLeadActions } from './use-lead-actions.ts'

/** The dialogs, the menu, the primary button and the keys of one lead, for its sheet and its page. */
export function useLeadControls(lead: Lead | undefined, keys: readonly string[]) {
  const text = useWords(leadActionTexts)
  const details = useWords(leadDetailTexts)
  const may = useMay()
  const [open, setOpen] = useState<OpenDialog>({ kind: 'none' })
  const actionsOf = useLeadActions(setOpen)
  const groups = lead ? actionsOf(lead) : []
  const entries: MenuEntry[] = groups.flatMap(group => [...group.entries])
  useShortcuts(
    Object.fromEntries(
      entries.flatMap(({ shortcut, label, isDisabled, onAction }) =>
        shortcut && onAction && !isDisabled && keys.includes(shortcut)
          ? [[shortcut, { label, action: onAction }]]
          : [],
      ),
    ),
    lead ? nameOfLead(lead) : '',
  )
  const menu = <MoreMenu label={text.actions} groups={groups} />
  const primary = lead && may(convertLead) && !lead.isConverted && (
    <Button kind="primary" shortcut="v" onPress={() => setOpen({ kind: 'convert', lead })}>
      {details.convert}
    </Button>
  )
  return { open, close: () => setOpen({ kind: 'none' }), menu, primary }
}
