import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { numberedSlug } from './asset.rules.ts'

// waits for a transaction that is taking the same slug at this moment; a slug the asset had before is its own
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

/** Takes exactly this slug for the asset. False when another asset has it or had it. */
export async function takeSlug(tx: Tx, assetId: string, slug: string): Promise<boolean> {
  return (await tx.first(claimSlug, slug, assetId)) !== undefined
}

/**
 * Takes the slug, or the next free one with a number behind it: `-2`, `-3`. Two creations at the same time
 * never get the same.
 */
export async function takeFreeSlug(tx: Tx, assetId: string, wanted: string): Promise<string> {
  let slug = wanted
  while (!(await takeSlug(tx, assetId, slug))) {
    const { n } = (await tx.first(nextNumber, wanted))!
    slug = numberedSlug(wanted, n)
  }
  return slug
}

/** The asset's other slugs stay its own but only lead to the current one. */
export async function retireSlugs(tx: Tx, assetId: string, current: string): Promise<void> {
  await tx.run(makeFormer, assetId, current)
}
