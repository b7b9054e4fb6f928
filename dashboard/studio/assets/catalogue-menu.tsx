import { transferAssetsOf } from '#contract/studio/lifecycle.ts'
import { type Command, useCommands } from '../../data/commands.ts'
import { useMay } from '../../data/organization.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { useWords } from '../../words/words.ts'
import { catalogueTexts } from './assets.words.ts'

/** The actions that concern the whole catalogue. */
export function CatalogueMenu({ onTransferAll }: { onTransferAll: () => void }) {
  const text = useWords(catalogueTexts)
  const may = useMay()
  const entries: (MenuEntry & Command)[] = may(transferAssetsOf)
    ? [
        {
          id: 'transfer-assets',
          label: text.transferAll,
          icon: 'people',
          action: onTransferAll,
          onAction: onTransferAll,
        },
      ]
    : []
  useCommands(entries)
  return <MoreMenu label={text.more} groups={[{ id: 'all', entries }]} />
}
