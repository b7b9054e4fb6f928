import { late } from '../../parts/late.tsx'
import type { AgentDialog } from './use-agent-actions.ts'

const ApproveDialog = late(() => import('./approve-dialog.tsx').then(dialog => dialog.ApproveDialog))
const RejectDialog = late(() => import('./reject-dialog.tsx').then(dialog => dialog.RejectDialog))
const BudgetDialog = late(() => import('./budget-dialog.tsx').then(dialog => dialog.BudgetDialog))

/** The dialog about an agent that is open, if one is. */
export function AgentDialogs({ dialog, onClose }: { dialog: AgentDialog | undefined; onClose: () => void }) {
  if (!dialog) return null
  const { kind, agent, channelName } = dialog
  if (kind === 'approve') return <ApproveDialog agent={agent} channelName={channelName} onClose={onClose} />
  if (kind === 'reject') return <RejectDialog agent={agent} onClose={onClose} />
  return <BudgetDialog application={agent.application} onClose={onClose} />
}
