import { useState } from 'react'
import {
  archiveClient,
  type Client,
  createClient,
  unarchiveClient,
  updateClient,
} from '#contract/crm/clients.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import { clientTexts } from './clients.words.ts'

const ClientDialog = late(() => import('./client-dialog.tsx').then(dialog => dialog.ClientDialog))
const ArchiveClientDialog = late(() =>
  import('./archive-client-dialog.tsx').then(dialog => dialog.ArchiveClientDialog),
)

type Open = { kind: 'none' } | { kind: 'create' } | { kind: 'edit' | 'archive'; client: Client }

/** The actions on clients, for their list and their pages; `dialog` is the one that is open. */
export function useClientActions(onCreated?: (client: Client) => void) {
  const text = useWords(clientTexts)
  const may = useMay()
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const restore = useAction(unarchiveClient)
  const close = () => setOpen({ kind: 'none' })
  const create = may(createClient) ? () => setOpen({ kind: 'create' }) : undefined
  const editOf = (client: Client) =>
    may(updateClient) && client.archivedAt === null ? () => setOpen({ kind: 'edit', client }) : undefined

  function menuOf(client: Client): MenuEntry[] {
    const edit = editOf(client)
    const canArchive = client.archivedAt === null && may(archiveClient)
    return [
      ...(edit ? [{ id: 'edit', label: text.edit, icon: 'edit' as const, onAction: edit }] : []),
      ...(canArchive
        ? [
            {
              id: 'archive',
              label: text.archive,
              icon: 'inbox' as const,
              onAction: () => setOpen({ kind: 'archive', client }),
            },
          ]
        : []),
      ...(client.archivedAt !== null && may(unarchiveClient)
        ? [
            {
              id: 'unarchive',
              label: text.unarchive,
              icon: 'retry' as const,
              onAction: () =>
                restore.mutate(
                  { params: { id: client.id } },
                  {
                    toast: ({ name }) => text.restored(name),
                    toastsFailure: true,
                  },
                ),
            },
          ]
        : []),
    ]
  }

  return {
    create,
    editOf,
    menuOf,
    preload: ClientDialog.preload,
    dialog: (
      <>
        {open.kind === 'create' && <ClientDialog onClose={close} onCreated={onCreated} />}
        {open.kind === 'edit' && <ClientDialog client={open.client} onClose={close} />}
        {open.kind === 'archive' && <ArchiveClientDialog client={open.client} onClose={close} />}
      </>
    ),
  }
}
