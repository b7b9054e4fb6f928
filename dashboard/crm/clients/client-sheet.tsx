import { type Client, readClient } from '#contract/crm/clients.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { ClientDetail } from './client-detail.tsx'
import { clientTexts } from './clients.words.ts'

/** A client beside the list. */
export function ClientSheet({
  clientId,
  client: listed,
  editOf,
  menuOf,
  ...sheet
}: {
  clientId: string
  /** The client, if the list has it; else it is read. */
  client: Client | undefined
  editOf: (client: Client) => (() => void) | undefined
  menuOf: (client: Client) => readonly MenuEntry[]
  pageHref: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(clientTexts)
  const read = useRead(readClient, { params: { id: clientId } }, { enabled: listed === undefined })
  const client = listed ?? read.data
  const edit = client && editOf(client)
  useShortcuts({ e: edit && { label: text.edit, action: edit } }, text.client)
  if (!client)
    return (
      <Sheet {...sheet} title={text.client}>
        <ReadingSection error={read.error} label={text.reading} />
      </Sheet>
    )
  const entries = menuOf(client).filter(({ id }) => id !== 'edit')
  return (
    <Sheet
      {...sheet}
      title={client.name}
      actions={
        edit && (
          <Button icon="edit" shortcut="e" onPress={edit}>
            {text.edit}
          </Button>
        )
      }
      menu={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />}
    >
      <SheetSection>
        <ClientDetail client={client} level={3} />
      </SheetSection>
    </Sheet>
  )
}
