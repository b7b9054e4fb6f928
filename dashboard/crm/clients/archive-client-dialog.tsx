import { archiveClient, type Client } from '#contract/crm/clients.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { clientTexts } from './clients.words.ts'

/** Asks before a client is archived (CLI-2, CLI-3). */
export function ArchiveClientDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const text = useWords(clientTexts)
  const language = useLanguage()
  const archive = useAction(archiveClient)
  return (
    <Confirm
      title={text.archiveQuestion(client.name)}
      action={text.archiveAction}
      isOpen
      onClose={onClose}
      isBusy={archive.isPending}
      error={archive.error && <Notice kind="danger">{textOfError(archive.error, language)}</Notice>}
      onConfirm={() =>
        archive.mutate(
          { params: { id: client.id } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: text.archivedToast(client.name) })
            },
          },
        )
      }
    >
      {text.archiveAbout}
    </Confirm>
  )
}
