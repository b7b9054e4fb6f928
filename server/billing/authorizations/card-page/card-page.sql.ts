import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

export type CardPageRow = {
  text: string
  status: 'PENDING' | 'ACTIVE'
  setup_id: string
  gateway_account_id: string
}

const select = sql<CardPageRow, { id: string }>(`
  select t.text, a.status, a.setup_id, a.gateway_account_id
  from payment_authorization a
  join consent_text t on t.organization_id = $organization and t.locale = a.consent_locale
    and t.version = a.consent_version
  where a.organization_id = $organization and a.id = $id and a.status in ('PENDING', 'ACTIVE')
    and a.setup_id is not null
    and a.created_at > now() - interval '${limits.cardPageHours} hours'`)

/** An authorization that is active or waits for a card, and is not older than a day. */
export function findCardPage(db: Db, id: string): Promise<CardPageRow | undefined> {
  return db.first(select, { id })
}
