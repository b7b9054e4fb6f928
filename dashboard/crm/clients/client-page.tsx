import { useParams } from '@tanstack/react-router'
import { readClient } from '#contract/crm/clients.ts'
import { useCommands } from '../../data/commands.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useClientActions } from './client-actions.tsx'
import styles from './client-detail.module.css'
import { ClientDetail } from './client-detail.tsx'
import { clientTexts } from './clients.words.ts'

/** A client on a page of its own: the same as beside the list. */
export function ClientPage() {
  const text = useWords(clientTexts)
  const language = useLanguage()
  const { clientId } = useParams({ from: '/o/$organization/clients/$clientId' })
  const { data: client, error } = useRead(readClient, { params: { id: clientId } })
  const { editOf, menuOf, dialog } = useClientActions()
  const edit = client && editOf(client)
  useShortcuts({ e: edit && { label: text.edit, action: edit } }, text.client)
  useCommands(
    edit ? [{ id: 'edit-client', label: text.edit, icon: 'edit', shortcut: 'e', action: edit }] : [],
  )
  const entries = client ? menuOf(client).filter(({ id }) => id !== 'edit') : []
  return (
    <Page
      title={client?.name ?? text.client}
      width="full"
      beside={
        client &&
        client.archivedAt !== null && (
          <Status icon="blocked" kind="quiet">
            {text.isArchived}
          </Status>
        )
      }
      actions={
        <>
          {<MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />}
          {edit && (
            <Button icon="edit" shortcut="e" onPress={edit}>
              {text.edit}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.page}>
        {!client && !error && <Skeleton label={text.reading} />}
        {error && <Problem title={textOfError(error, language)} />}
        {client && <ClientDetail key={client.id} client={client} level={2} />}
      </div>
      {dialog}
    </Page>
  )
}
