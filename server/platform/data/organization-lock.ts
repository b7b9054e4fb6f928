/**
 * SQL that waits for a lock of the organization and keeps it until the transaction ends, for what no row can be locked for. `kind` is the
 * name of the lock, `parts` are expressions of SQL that distinguish what is locked.
 */
export function organizationLock(kind: string, ...parts: string[]): string {
  return `pg_advisory_xact_lock(${organizationLockKey(kind, ...parts)})`
}

/** The same, for any number of transactions at a time while none has the other one. */
export function sharedOrganizationLock(kind: string, ...parts: string[]): string {
  return `pg_advisory_xact_lock_shared(${organizationLockKey(kind, ...parts)})`
}

/**
 * The number of such a lock. It names a table of the organization because each node of Citus has locks of its own: a statement that names
 * one runs on the node of its shard, so that transactions on different nodes wait for each other.
 */
export function organizationLockKey(kind: string, ...parts: string[]): string {
  const name = [`'${kind}/'`, '$organization', ...parts.flatMap(part => [`'/'`, part])].join(' || ')
  return `hashtextextended(${name}, (
    select count(*) * 0 from relay_head o where o.organization_id = $organization))`
}

/**
 * Zero, as a part of the number of a lock that concerns all organizations. It reads the rows of an organization that does not exist, so a
 * statement with it runs on the same node of Citus, wherever its transaction began.
 */
export const zeroFromOneNode = `(select count(*) * 0 from relay_head o where o.organization_id = 'relay')`
