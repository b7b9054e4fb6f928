import type { listAudit } from '#contract/identity/audit-log.ts'
import type { Reply } from '#contract/route.ts'

/** An entry as the log shows it. */
export type Entry = Reply<typeof listAudit>['items'][number]

/** The filters of the log, as the address has them. */
export type AuditSearch = {
  actorId?: string
  operation?: string
  subject?: string
  from?: string
  to?: string
  /** The number of the entry whose details are open. */
  open?: number
}

/** Filters to set, or to remove where they are undefined. */
export type AuditSearchChange = { [Key in keyof AuditSearch]: AuditSearch[Key] | undefined }

export function auditSearchOf(search: Record<string, unknown>): AuditSearch {
  const { open } = search
  const texts = Object.fromEntries(
    (['actorId', 'operation', 'subject', 'from', 'to'] as const).flatMap(name =>
      typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [],
    ),
  )
  return { ...texts, ...(typeof open === 'number' && Number.isInteger(open) && open > 0 && { open }) }
}
