import { archiveClient, type Client } from '#contract/crm/clients.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useWords } from '../../words/words.ts'
import { clientTexts } from './clients.words.ts'

/** Asks before a client is archived (CLI-2, CLI-3). */
export function ArchiveClientDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const text = useWords(clientTexts)
  return (
    <ConfirmAction
      operation={archiveClient}
      input={{ params: { id: client.id } }}
      title={text.archiveQuestion(client.name)}
      action={text.archiveAction}
      onClose={onClose}
      toast={() => text.archivedToast(client.name)}
    >
      {text.archiveAbout}
    </ConfirmAction>
  )
}
