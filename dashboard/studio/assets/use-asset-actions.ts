import { submitEntry } from '#contract/marketplace/entries.ts'
import { createAsset, duplicateAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { addToCollection } from '#contract/studio/collections.ts'
import {
  archiveAsset,
  publishAsset,
  transferAsset,
  unarchiveAsset,
  verifyAsset,
} from '#contract/studio/lifecycle.ts'
import { exportAsset } from '#contract/studio/packages.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { IconName } from '../../parts/icon.tsx'
import type { MenuEntry, MenuGroup } from '../../parts/menu.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { type AnyAsset, assetHref, canEdit, isUnpublished } from './asset.ts'
import { assetActionTexts } from './asset-action.words.ts'
import type { OpenDialog } from './open-dialog.ts'
import { hasCopied, useAssetCopy } from './use-asset-copy.ts'

type More = { shortcut?: string; isDangerous?: boolean; obstacle?: string | false; href?: string }

/** The actions that the caller may take on an asset, as a menu. One that is not possible now says why. */
export function useAssetActions(open: (dialog: OpenDialog) => void): (asset: AnyAsset) => MenuGroup[] {
  const text = useWords(assetActionTexts)
  const may = useMay()
  const { address, caller } = useOrganization()
  const copy = useAssetCopy(asset => open({ kind: 'use', asset }))
  const copyLink = useLinkCopy()
  const change = useDirectChanges()

  return asset => {
    const { name, access } = asset
    const isArchived = asset.status === 'ARCHIVED'
    const archived = isArchived && text.isArchived
    const mayChange = canEdit(asset)
    const isAdmin = access === 'ADMIN'
    function entry(
      isAllowed: boolean,
      [id, label, icon]: readonly [string, string, IconName],
      onAction: (() => void) | undefined,
      { obstacle, ...more }: More = {},
    ): MenuEntry[] {
      if (!isAllowed) return []
      return [
        {
          id,
          label,
          icon,
          ...(onAction && { onAction }),
          ...more,
          ...(obstacle && { isDisabled: true, hint: obstacle }),
        },
      ]
    }
    const dialog =
      (kind: 'details' | 'duplicate' | 'publish' | 'archive' | 'remove' | 'transfer' | 'file') => () =>
        open({ kind, asset })
    const isAuthor = asset.author.id === caller.person.id
    const mayTransfer = may(transferAsset) && (isAuthor || caller.isAdministrator)
    return [
      {
        id: 'use',
        entries: [
          ...entry(true, ['copy', text.copy, 'copy'], () => void copy(asset), { shortcut: 'y' }),
          ...entry(
            true,
            ['link', text.copyLink, 'link'],
            () => void copyLink(assetHref(address, asset.slug)),
          ),
          // a row of a list lacks what the dialog explains
          ...('bodyMarkdown' in asset
            ? entry(may(exportAsset), ['export', text.export, 'download'], () =>
                open({ kind: 'export', asset }),
              )
            : []),
        ],
      },
      {
        id: 'change',
        entries: [
          ...entry(may(updateAsset) && mayChange, ['edit', text.edit, 'edit'], undefined, {
            href: `${assetHref(address, asset.id)}?edit=true`,
            obstacle: archived,
          }),
          ...entry(may(updateAsset) && mayChange, ['details', text.details, 'settings'], dialog('details'), {
            obstacle: archived,
          }),
          ...entry(may(publishAsset) && mayChange, ['publish', text.publish, 'done'], dialog('publish'), {
            obstacle: archived || (!isUnpublished(asset) && text.isPublished),
          }),
          ...entry(may(submitEntry) && isAuthor, ['submit', text.submit, 'marketplace'], undefined, {
            href: `/o/${encodeURIComponent(address)}/marketplace/submit?asset=${encodeURIComponent(asset.id)}`,
            obstacle: archived || (asset.publishedVersion === null && text.isNotPublished),
          }),
          ...entry(may(verifyAsset), ['verify', text.verify, 'check'], () => change.verify(asset), {
            obstacle: archived || (asset.verified && text.isVerified),
          }),
          ...entry(may(addToCollection) && mayChange, ['file', text.file, 'collections'], dialog('file')),
          ...entry(
            may(createAsset) && may(duplicateAsset),
            ['duplicate', text.duplicate, 'plus'],
            dialog('duplicate'),
          ),
        ],
      },
      {
        id: 'end',
        entries: [
          ...entry(mayTransfer, ['transfer', text.transfer, 'person'], dialog('transfer')),
          ...entry(
            may(archiveAsset) && isAdmin && !isArchived,
            ['archive', text.archive, 'lock'],
            dialog('archive'),
          ),
          ...entry(may(unarchiveAsset) && isAdmin && isArchived, ['unarchive', text.unarchive, 'retry'], () =>
            change.unarchive(asset),
          ),
          ...entry(may(removeAsset) && isAdmin, ['remove', text.remove, 'trash'], dialog('remove'), {
            isDangerous: true,
          }),
        ],
      },
    ].map(group => ({ ...group, label: name }))
  }
}

/** The changes that need no question: they can be undone, and say what they did. */
function useDirectChanges() {
  const text = useWords(assetActionTexts)
  const verify = useAction(verifyAsset)
  const unarchive = useAction(unarchiveAsset)
  return {
    verify: ({ id, name }: AnyAsset) =>
      verify.mutate({ params: { id } }, { toast: () => text.verifiedIt(name), toastsFailure: true }),
    unarchive: ({ id, name }: AnyAsset) =>
      unarchive.mutate({ params: { id } }, { toast: () => text.unarchived(name), toastsFailure: true }),
  }
}

function useLinkCopy(): (path: string) => Promise<void> {
  const text = useWords(assetActionTexts)
  return async path => {
    const isCopied = await hasCopied(`${location.origin}${path}`)
    showToast(isCopied ? { text: text.linkCopied } : { kind: 'failed', text: text.copyFailed })
  }
}
