import type { Client } from '#contract/crm/clients.ts'
import { endAllPortalAccess, listPortalAccess } from '#contract/crm/portal-access.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { portalAccessTexts } from './portal-access.words.ts'

/** Asks before all portal sessions and links of a client end (PRT-16), and says how many there were. */
export function EndAllPortalAccessDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const text = useWords(portalAccessTexts)
  const language = useLanguage()
  const end = useAction(endAllPortalAccess, { refreshes: [listPortalAccess] })
  return (
    <Confirm
      title={text.endAllQuestion(client.name)}
      action={text.endAllAction}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={end.isPending}
      error={end.error && <Notice kind="danger">{textOfError(end.error, language)}</Notice>}
      onConfirm={() =>
        end.mutate(
          { params: { id: client.id } },
          {
            onSuccess: ({ sessionsEnded }) => {
              onClose()
              showToast({ text: text.allEnded(sessionsEnded) })
            },
          },
        )
      }
    >
      {text.endAllAbout}
    </Confirm>
  )
}
