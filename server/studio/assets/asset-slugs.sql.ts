import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { numberedSlug } from './asset.rules.ts'

// Waits for a concurrent transaction that takes the same slug. An asset may take one of its former slugs again
const claimSlug = sql<{ slug: string }, [slug: string, assetId: string]>(`
  insert into asset_slug (organization_id, slug, asset_id, is_current) values ($1, $2, $3, true)
  on conflict (organization_id, slug) do update set is_current = true
    where asset_slug.asset_id = excluded.asset_id
  returning slug`)
const nextNumber = sql<{ n: number }, [slug: string]>(`
  insert into asset_slug_number (organization_id, slug, n) values ($1, $2, 2)
  on conflict (organization_id, slug) do update set n = asset_slug_number.n + 1
  returning n`)
const makeFormer = sql<never, [assetId: string, current: string]>(`
  update asset_slug s set is_current = false
  where s.organization_id = $1 and s.asset_id = $2 and s.slug <> $3 and s.is_current`)

/** Takes exactly this slug for the asset. False if another asset has or had it. */
export async function takeSlug(tx: Tx, assetId: string, slug: string): Promise<boolean> {
  return (await tx.first(claimSlug, slug, assetId)) !== undefined
}

/** Takes the slug, or the next free one with a suffix `-2`, `-3`. Concurrent creations never get the same slug (AST-11). */
export async function takeFreeSlug(tx: Tx, assetId: string, wanted: string): Promise<string> {
  let slug = wanted
  while (!(await takeSlug(tx, assetId, slug))) {
    const { n } = (await tx.first(nextNumber, wanted))!
    slug = numberedSlug(wanted, n)
  }
  return slug
}

/** Marks the other slugs of the asset as former: they stay reserved and redirect to the current one. */
export async function retireSlugs(tx: Tx, assetId: string, current: string): Promise<void> {
  await tx.run(makeFormer, assetId, current)
}
