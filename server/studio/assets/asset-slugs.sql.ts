import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { numberedSlug } from './asset.rules.ts'

// Waits for a concurrent transaction that takes the same slug. An asset may take one of its former slugs again
const claimSlug = sql<{ slug: string }, { slug: string; assetId: string }>(`
  insert into asset_slug (organization_id, slug, asset_id, is_current) values ($organization, $slug, $assetId, true)
  on conflict (organization_id, slug) do update set is_current = true
    where asset_slug.asset_id = excluded.asset_id
  returning slug`)
const nextNumber = sql<{ last_number: number }, { slug: string }>(`
  insert into asset_slug_number (organization_id, slug, last_number) values ($organization, $slug, 2)
  on conflict (organization_id, slug) do update set last_number = asset_slug_number.last_number + 1
  returning last_number`)
const makeFormer = sql<never, { assetId: string; current: string }>(`
  update asset_slug s set is_current = false
  where s.organization_id = $organization and s.asset_id = $assetId and s.slug <> $current and s.is_current`)

/** Takes exactly this slug for the asset. False if another asset has or had it. */
export async function takeSlug(tx: Tx, assetId: string, slug: string): Promise<boolean> {
  return (await tx.first(claimSlug, { slug, assetId })) !== undefined
}

/** Takes the slug, or the next free one with a suffix `-2`, `-3`. Concurrent creations never get the same slug (AST-11). */
export async function takeFreeSlug(tx: Tx, assetId: string, wanted: string): Promise<string> {
  let slug = wanted
  while (!(await takeSlug(tx, assetId, slug))) {
    const { last_number } = await tx.one(nextNumber, { slug: wanted })
    slug = numberedSlug(wanted, last_number)
  }
  return slug
}

/** Marks the other slugs of the asset as former: they stay reserved and redirect to the current one. */
export async function retireSlugs(tx: Tx, assetId: string, current: string): Promise<void> {
  await tx.run(makeFormer, { assetId, current })
}
