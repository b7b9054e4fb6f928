import { importClients } from '#contract/crm/client-imports.ts'
import { type Command, useCommands } from '../../data/commands.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { clientTexts } from './clients.words.ts'

/** The actions for all clients. */
export function ClientsMenu() {
  const text = useWords(clientTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const { address } = useOrganization()
  const href = `/o/${encodeURIComponent(address)}/clients/import`
  const entries: (MenuEntry & Command)[] = may(importClients)
    ? [{ id: 'import-clients', label: actionText['import-clients'], icon: 'file', href }]
    : []
  useCommands(entries)
  return entries.length > 0 && <MoreMenu label={text.more} groups={[{ id: 'all', entries }]} />
}
