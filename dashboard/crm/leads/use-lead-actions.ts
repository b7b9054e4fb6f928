import { convertLead, disqualifyLead, qualifyLead, scoreLead } from '#contract/crm/lead-moves.ts'
import { updateLead } from '#contract/crm/leads.ts'
import { changeLeads, eraseLead, exportPersonalData } from '#contract/crm/team.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { downloadText } from '../../parts/download.ts'
import type { IconName } from '../../parts/icon.tsx'
import type { MenuEntry, MenuGroup } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import { type Lead, nameOfLead } from './lead.ts'
import { leadActionTexts } from './lead-action.words.ts'
import type { OpenDialog } from './open-dialog.ts'

/** The actions that the caller may take on a lead, as a menu. One that is not possible now is disabled and says why. */
export function useLeadActions(open: (dialog: OpenDialog) => void): (lead: Lead) => MenuGroup[] {
  const text = useWords(leadActionTexts)
  const may = useMay()
  const qualify = useAction(qualifyLead)
  const exportData = useAction(exportPersonalData, { refreshes: [] })
  return lead => {
    const about = { params: { id: lead.id } }
    const name = nameOfLead(lead)
    const closed = lead.isConverted ? text.isConverted : undefined
    const lost = closed ?? (lead.status === 'LOST' ? text.isLost : undefined)
    function entry(
      isAllowed: boolean,
      id: keyof typeof text & string,
      icon: IconName,
      onAction: () => void,
      { obstacle, ...more }: Partial<MenuEntry> & { obstacle?: string | undefined } = {},
    ): MenuEntry[] {
      if (!isAllowed) return []
      const label = text[id] as string
      return [{ id, label, icon, onAction, ...more, ...(obstacle && { isDisabled: true, hint: obstacle }) }]
    }
    const change = (field: 'status' | 'assigneeId' | 'temperature') => () =>
      open({ kind: 'change', field, leads: [lead] })
    return [
      {
        id: 'change',
        entries: [
          ...entry(may(updateLead), 'edit', 'edit', () => open({ kind: 'edit', lead }), {
            shortcut: 'e',
            obstacle: closed,
          }),
          ...entry(may(changeLeads), 'status', 'half', change('status'), { shortcut: 's', obstacle: closed }),
          ...entry(may(changeLeads), 'assigneeId', 'person', change('assigneeId'), {
            shortcut: 'a',
            obstacle: closed,
          }),
          ...entry(may(scoreLead), 'temperature', 'lightning', change('temperature'), {
            shortcut: 't',
            obstacle: closed,
          }),
          ...entry(may(scoreLead), 'score', 'quarter', () => open({ kind: 'score', lead }), {
            obstacle: closed,
          }),
        ],
      },
      {
        id: 'outcome',
        entries: [
          ...entry(
            may(qualifyLead),
            'qualify',
            'check',
            () =>
              qualify.mutate(about, {
                toast: () => text.qualified(name),
                toastsFailure: true,
              }),
            { obstacle: lost ?? (lead.status === 'NEW' ? undefined : text.isNotNew) },
          ),
          ...entry(may(convertLead), 'convert', 'clients', () => open({ kind: 'convert', lead }), {
            shortcut: 'v',
            obstacle: closed,
          }),
          ...entry(may(disqualifyLead), 'disqualify', 'blocked', () => open({ kind: 'disqualify', lead }), {
            obstacle: lost,
          }),
        ],
      },
      {
        id: 'personal',
        entries: [
          ...entry(may(exportPersonalData), 'personalData', 'download', () =>
            exportData.mutate(about, {
              onSuccess: data =>
                downloadText(JSON.stringify(data, null, 2), `lead-${lead.id}.json`, 'application/json'),
              toast: () => text.exported(name),
              toastsFailure: true,
            }),
          ),
          ...entry(may(eraseLead), 'erase', 'trash', () => open({ kind: 'erase', lead }), {
            isDangerous: true,
          }),
        ],
      },
    ]
  }
}
