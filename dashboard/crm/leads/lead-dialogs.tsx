import { late } from '../../parts/late.tsx'
import type { OpenDialog } from './open-dialog.ts'

const ChangeLeadsDialog = late(() =>
  import('./change-leads-dialog.tsx').then(dialog => dialog.ChangeLeadsDialog),
)
export const CreateLeadDialog = late(() =>
  import('./create-lead-dialog.tsx').then(dialog => dialog.CreateLeadDialog),
)
const EditLeadDialog = late(() => import('./edit-lead-dialog.tsx').then(dialog => dialog.EditLeadDialog))
const ScoreLeadDialog = late(() => import('./score-lead-dialog.tsx').then(dialog => dialog.ScoreLeadDialog))
const ConvertLeadDialog = late(() =>
  import('./convert-lead-dialog.tsx').then(dialog => dialog.ConvertLeadDialog),
)
const DisqualifyLeadDialog = late(() =>
  import('./disqualify-lead-dialog.tsx').then(dialog => dialog.DisqualifyLeadDialog),
)
const EraseLeadDialog = late(() => import('./erase-lead-dialog.tsx').then(dialog => dialog.EraseLeadDialog))

/** The dialog of an action on leads. */
export function LeadDialogs({
  open,
  onClose,
  onCreated,
  onErased,
}: {
  open: OpenDialog
  onClose: () => void
  onCreated?: (id: string) => void
  onErased: () => void
}) {
  if (open.kind === 'none') return null
  if (open.kind === 'create') return <CreateLeadDialog onClose={onClose} {...(onCreated && { onCreated })} />
  if (open.kind === 'change')
    return <ChangeLeadsDialog field={open.field} leads={open.leads} onClose={onClose} />
  const about = { lead: open.lead, onClose }
  if (open.kind === 'edit') return <EditLeadDialog {...about} />
  if (open.kind === 'score') return <ScoreLeadDialog {...about} />
  if (open.kind === 'convert') return <ConvertLeadDialog {...about} />
  if (open.kind === 'disqualify') return <DisqualifyLeadDialog {...about} />
  return <EraseLeadDialog {...about} onErased={onErased} />
}
