import type { AuditEntry } from '#contract/identity/audit-log.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'

const fields = `a.seq, a.id, a.at, a.actor_id as "actorId", a.auth, a.ip, a.client, a.request_id as "requestId",
  a.operation, a.subject, a.changed, a.detail, a.hash`

type AuditArgs = {
  actorId: string | null
  subject: string | null
  operation: string | null
  before: number
  from: string | null
  to: string | null
  limit: number
}

/**
 * Entries before `before`, newest first. Numbers follow the time, except for simultaneous changes. With an
 * hour of margin on each side, a range of times becomes a range of numbers, which the index finds however old
 * it is.
 */
export const listedAudit = withFilters<AuditEntry, AuditArgs>(
  {
    actorId: 'a.actor_id = $actorId',
    subject: 'a.subject = $subject',
    operation: 'a.operation = $operation',
  },
  condition => `
  select ${fields}, actor.name as "actorName", subject.name as "subjectName"
  from audit a
  left join actor_name actor on actor.organization_id = $organization and actor.id = a.actor_id
  left join actor_name subject on subject.organization_id = $organization and subject.id = a.subject
  where a.organization_id = $organization and ${condition} and a.seq < $before::bigint
    and a.seq > coalesce((
      select f.seq from audit f where f.organization_id = $organization
        and f.at < $from::timestamptz - interval '1 hour'
      order by f.at desc, f.seq desc limit 1), 0)
    and a.seq < coalesce((
      select t.seq from audit t where t.organization_id = $organization
        and t.at > $to::timestamptz + interval '1 hour'
      order by t.at, t.seq limit 1), 9223372036854775807)
    and ($from::timestamptz is null or a.at >= $from::timestamptz)
    and ($to::timestamptz is null or a.at <= $to::timestamptz)
  order by a.seq desc limit $limit`,
)

export const chainHead = sql<{ seq: number; hash: string }>(`
  select h.audit_seq as seq, h.audit_hash as hash from relay_head h where h.organization_id = $organization
`)
/** The entries that the hashes of a part of the chain cover. */
export const chainPage = sql<
  Omit<AuditEntry, 'actorName' | 'subjectName'>,
  { after: number; upTo: number; limit: number }
>(`
  select ${fields} from audit a
  where a.organization_id = $organization and a.seq > $after and a.seq <= $upTo order by a.seq limit $limit
`)
