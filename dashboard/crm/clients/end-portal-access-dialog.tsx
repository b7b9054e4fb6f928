import type { Client } from '#contract/crm/clients.ts'
import { endAllPortalAccess, listPortalAccess } from '#contract/crm/portal-access.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useWords } from '../../words/words.ts'
import { portalAccessTexts } from './portal-access.words.ts'

/** Asks before all portal sessions and links of a client end (PRT-16), and says how many there were. */
export function EndAllPortalAccessDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const text = useWords(portalAccessTexts)
  return (
    <ConfirmAction
      operation={endAllPortalAccess}
      input={{ params: { id: client.id } }}
      refreshes={[listPortalAccess]}
      title={text.endAllQuestion(client.name)}
      action={text.endAllAction}
      isDangerous
      onClose={onClose}
      toast={({ sessionsEnded }) => text.allEnded(sessionsEnded)}
    >
      {text.endAllAbout}
    </ConfirmAction>
  )
}
