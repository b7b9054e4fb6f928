import type { secretStates, WebhookSecret } from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'

type State = (typeof secretStates)[number]

const columns = 's.id, s.state, s.created_at as "createdAt", s.state_since as "stateSince"'

const selectOf = sql<WebhookSecret, { applicationId: string }>(`
  select ${columns} from webhook_secret s
  where s.organization_id = $organization and s.application_id = $applicationId order by s.id desc`)

/** The secrets of a webhook without their values, newest first. */
export function secretsOf(db: Db, applicationId: string): Promise<WebhookSecret[]> {
  return db.rows(selectOf, { applicationId })
}

const insertRow = sql<WebhookSecret, { applicationId: string; id: string; sealed: string; state: State }>(`
  insert into webhook_secret as s (organization_id, application_id, id, sealed, state)
  values ($organization, $applicationId, $id, $sealed, $state) returning ${columns}`)
const removeOld = sql<never, { applicationId: string }>(`
  delete from webhook_secret s
  where s.organization_id = $organization and s.application_id = $applicationId and s.state = 'RETIRED'
    and s.id <= (
    select s.id from webhook_secret s
    where s.organization_id = $organization and s.application_id = $applicationId and s.state = 'RETIRED'
    order by s.id desc offset ${limits.retiredWebhookSecretsMax} limit 1)`)

/** Inserts a secret and deletes old retired ones. */
export async function insertSecret(
  tx: Tx,
  applicationId: string,
  state: State,
  sealed: string,
): Promise<WebhookSecret> {
  const [row] = await Promise.all([
    tx.one(insertRow, { applicationId, id: newId(), sealed, state }),
    tx.run(removeOld, { applicationId }),
  ])
  return row
}

const move = sql<WebhookSecret, { applicationId: string; id: string; state: State }>(`
  update webhook_secret s set state = $state, state_since = now(),
    sealed = case when $state = 'RETIRED' then '' else s.sealed end
  where s.organization_id = $organization and s.application_id = $applicationId and s.id = $id
  returning ${columns}`)

/** Changes the state of a secret. Retiring it deletes its value. */
export function setSecretState(
  tx: Tx,
  applicationId: string,
  id: string,
  state: State,
): Promise<WebhookSecret> {
  return tx.one(move, { applicationId, id, state })
}
