import type { Db } from '#platform/db/database.ts'
import type { MailMessage } from '#platform/outside/mail.ts'
import type { World } from '#platform/serve.ts'
import type { BudgetRow } from '../budgets/row.ts'
import { emailOfMember } from './store.ts'

/** What a client decided, and who did. */
type Decision = { is: 'SIGNED' | 'DECLINED'; by: string; reason?: string | null }

/**
 * Mails whoever looks after a budget, else whoever made it, what became of it. The client does not wait for that, and a mail
 * server that fails costs the mail alone: the budget says it as well.
 */
export function tellOwner(world: World, db: Db, budget: BudgetRow, decision: Decision): void {
  mailOwner(world, db, budget, decision).catch(error =>
    world.log?.warn({ err: error, budgetId: budget.id }, 'what a client decided could not be mailed'),
  )
}

async function mailOwner({ mail }: World, db: Db, budget: BudgetRow, decision: Decision): Promise<void> {
  const to = await emailOfMember(db, [budget.owner_id, budget.created_by])
  if (to !== undefined) await mail.send(decisionMail(to, budget, decision))
}

function decisionMail(to: string, { code, title }: BudgetRow, { is, by, reason }: Decision): MailMessage {
  const [done, english] =
    is === 'SIGNED' ? (['firmado', 'signed'] as const) : (['rechazado', 'declined'] as const)
  return {
    to,
    subject: `Presupuesto ${code} ${done}`,
    text: `${by} ha ${done} el presupuesto ${code}, «${title}».
${reason ? `\nMotivo: ${reason}\n` : ''}
--
${by} has ${english} the budget ${code}.
`,
  }
}
