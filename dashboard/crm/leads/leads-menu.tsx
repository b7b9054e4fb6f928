import { importLeads } from '#contract/crm/lead-imports.ts'
import { readLeadSyncStatus } from '#contract/crm/lead-sync-status.ts'
import { leadStatuses } from '#contract/crm/shapes.ts'
import { exportLeads } from '#contract/crm/team.ts'
import { type Command, useCommands } from '../../data/commands.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useDownload } from '../../data/use-download.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { leadListTexts } from './leads.words.ts'

/** The actions for all leads. An export knows no other filter than the status. */
export function LeadsMenu({ status }: { status: string | undefined }) {
  const text = useWords(leadListTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const { address } = useOrganization()
  const download = useDownload(exportLeads, 'leads.csv')
  const statuses = leadStatuses.filter(one => status?.split(',').includes(one))
  const save = () =>
    download.mutate(
      { query: statuses.length > 0 ? { status: statuses } : {} },
      {
        toast: () => text.exported,
        toastsFailure: true,
      },
    )
  const base = `/o/${encodeURIComponent(address)}/leads`
  const entries: (MenuEntry & Command)[] = [
    ...(may(exportLeads)
      ? [
          {
            id: 'export-leads',
            label: statuses.length > 0 ? text.exportStatus : text.export,
            icon: 'download' as const,
            isDisabled: download.isPending,
            action: save,
            onAction: save,
          },
        ]
      : []),
    ...(may(importLeads)
      ? [
          {
            id: 'import-leads',
            label: actionText['import-leads'],
            icon: 'file' as const,
            href: `${base}/import`,
          },
        ]
      : []),
    ...(may(readLeadSyncStatus)
      ? [{ id: 'sync-leads', label: text.sync, icon: 'retry' as const, href: `${base}/sync` }]
      : []),
  ]
  useCommands(entries)
  return <MoreMenu label={text.more} groups={[{ id: 'all', entries }]} />
}
