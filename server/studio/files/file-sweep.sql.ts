import { limits } from '#contract/limits.ts'
import type { Files } from '#platform/adapters/files.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

const why = 'an object belongs to every organization that has its content'
const again = `interval '${limits.unreferencedFileHours} hours'`
/** Between the two looks: longer than any transaction that may just be making a reference. */
const patience = `interval '1 hour'`

// `is_garbage`: nothing refers to it, as at an earlier look
const lookAt = crossTenantSql<{ sha256: string; is_garbage: boolean }, [most: number]>(
  why,
  `with due as (
     select o.sha256, o.unreferenced_at from file_object o where o.check_at < now()
     order by o.check_at limit $1 for update skip locked),
   seen as (
     select d.*, exists (select from file_reference f where f.sha256 = d.sha256) as is_referenced from due d)
   update file_object o set
     check_at = now() + case when s.is_referenced then ${again} else ${patience} end,
     unreferenced_at = case when s.is_referenced then null else coalesce(o.unreferenced_at, now()) end
   from seen s where o.sha256 = s.sha256
   returning o.sha256,
     not s.is_referenced and coalesce(s.unreferenced_at <= now() - ${patience}, false) as is_garbage`,
)
const lockGarbage = crossTenantSql<{ sha256: string }, [sha256: string]>(
  why,
  `select o.sha256 from file_object o
   where o.sha256 = $1 and o.unreferenced_at <= now() - ${patience}
     and not exists (select from file_reference f where f.sha256 = o.sha256)
   for update`,
)
const deleteRow = crossTenantSql<never, [sha256: string]>(
  why,
  'delete from file_object o where o.sha256 = $1',
)

/**
 * Looks at objects whose time has come and removes those that nothing refers to, now and an hour ago. An upload of the
 * same content waits until the object is gone, and stores it anew. True when there may be more to look at.
 */
export async function sweepFiles(database: Database, files: Files, most = 100): Promise<boolean> {
  const looked = await database.wide.rows(lookAt, most)
  for (const { sha256, is_garbage } of looked) {
    if (!is_garbage) continue
    await database.transactWide(async tx => {
      if (!(await tx.first(lockGarbage, sha256))) return
      await files.remove(sha256)
      await tx.rows(deleteRow, sha256)
    })
  }
  return looked.length === most
}
