import { listDeletedAssets, transferAssetsOf } from '#contract/studio/lifecycle.ts'
import { importAsset } from '#contract/studio/packages.ts'
import { useCommands } from '../../data/commands.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { catalogueHref } from './asset.ts'
import { catalogueTexts } from './assets.words.ts'

/** The actions that concern the whole catalogue, and the screens beside it. */
export function CatalogueMenu({ onTransferAll }: { onTransferAll: () => void }) {
  const text = useWords(catalogueTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const { address } = useOrganization()
  const mayTransfer = may(transferAssetsOf)
  useCommands(
    mayTransfer
      ? [{ id: 'transfer-assets', label: text.transferAll, icon: 'people', action: onTransferAll }]
      : [],
  )
  return (
    <MoreMenu
      label={text.more}
      groups={[
        {
          id: 'all',
          entries: [
            ...(may(importAsset)
              ? [
                  {
                    id: 'import',
                    label: actionText['import-assets'],
                    icon: 'file' as const,
                    href: `${catalogueHref(address)}/import`,
                  },
                ]
              : []),
            ...(may(listDeletedAssets)
              ? [
                  {
                    id: 'trash',
                    label: text.trash,
                    icon: 'trash' as const,
                    href: `${catalogueHref(address)}/trash`,
                  },
                ]
              : []),
            ...(mayTransfer
              ? [
                  {
                    id: 'transfer-assets',
                    label: text.transferAll,
                    icon: 'people' as const,
                    onAction: onTransferAll,
                  },
                ]
              : []),
          ],
        },
      ]}
    />
  )
}
