import { late } from '../../parts/late.tsx'
import type { OpenDialog } from './open-dialog.ts'

export const CreateAssetDialog = late(() =>
  import('./create-asset-dialog.tsx').then(dialog => dialog.CreateAssetDialog),
)
const DetailsDialog = late(() => import('./details-dialog.tsx').then(dialog => dialog.DetailsDialog))
const DuplicateDialog = late(() => import('./duplicate-dialog.tsx').then(dialog => dialog.DuplicateDialog))
const PublishDialog = late(() => import('./publish-dialog.tsx').then(dialog => dialog.PublishDialog))
const ArchiveDialog = late(() => import('./end-dialogs.tsx').then(dialogs => dialogs.ArchiveDialog))
const RemoveDialog = late(() => import('./end-dialogs.tsx').then(dialogs => dialogs.RemoveDialog))
const TransferDialog = late(() => import('./transfer-dialogs.tsx').then(dialogs => dialogs.TransferDialog))
const TransferAllDialog = late(() =>
  import('./transfer-dialogs.tsx').then(dialogs => dialogs.TransferAllDialog),
)
const ExportDialog = late(() => import('../transfer/export-dialog.tsx').then(dialog => dialog.ExportDialog))
const AddToCollectionDialog = late(() =>
  import('../collections/filing-dialogs.tsx').then(dialogs => dialogs.AddToCollectionDialog),
)
const UseDialog = late(() => import('./use-dialog.tsx').then(dialog => dialog.UseDialog))

/** The dialog of an action on an asset or on the catalogue. */
export function AssetDialogs({
  open,
  onClose,
  onRemoved,
  authors = [],
}: {
  open: OpenDialog
  onClose: () => void
  onRemoved?: () => void
  /** The authors whose assets are shown; some may have left the organization. */
  authors?: readonly { id: string; name: string }[]
}) {
  if (open.kind === 'none') return null
  if (open.kind === 'create') return <CreateAssetDialog onClose={onClose} />
  if (open.kind === 'transferAll') return <TransferAllDialog authors={authors} onClose={onClose} />
  if (open.kind === 'use') return <UseDialog asset={open.asset} onClose={onClose} />
  if (open.kind === 'export') return <ExportDialog asset={open.asset} onClose={onClose} />
  if (open.kind === 'file') return <AddToCollectionDialog assets={[open.asset]} onClose={onClose} />
  const about = { asset: open.asset, onClose }
  if (open.kind === 'details') return <DetailsDialog {...about} />
  if (open.kind === 'duplicate') return <DuplicateDialog {...about} />
  if (open.kind === 'publish') return <PublishDialog {...about} />
  if (open.kind === 'transfer') return <TransferDialog {...about} />
  if (open.kind === 'archive') return <ArchiveDialog {...about} />
  return <RemoveDialog {...about} {...(onRemoved && { onRemoved })} />
}
