import type { Input, Reply } from '#contract/endpoint.ts'
import { type UnitKind, units } from '#contract/identity/units.ts'
import { createAsset } from '#contract/studio/assets.ts'
import { newId } from '#platform/ids.ts'
import type { Person, TestWorld } from './world.ts'

type AssetGiven = Partial<Input<typeof createAsset>['body']>

/** An asset of the person; what is left out is invented. */
export function makeAsset(person: Person, given: AssetGiven = {}): Promise<Reply<typeof createAsset>> {
  return person.call(createAsset, { body: { type: 'PROMPT', name: `Asset ${newId()}`, ...given } })
}

/** A department, workspace or group with its members. */
export async function makeUnit(kind: UnitKind, admin: Person, members: Person[] = []): Promise<string> {
  const { create, addMember } = units.find(unit => unit.kind === kind)!
  const { id } = await admin.call(create, { body: { name: `${kind} ${newId()}` } })
  for (const { id: personId } of members) await admin.call(addMember, { params: { id, personId } })
  return id
}

type ShareGiven = { level?: 'READ' | 'EDIT' | 'ADMIN'; expiresAt?: string | null }

/** Shares an asset with a person or a unit, as the share operations will. */
export async function shareAsset(
  world: TestWorld,
  owner: Person,
  assetId: string,
  kind: 'USER' | 'GROUP' | 'DEPARTMENT',
  granteeId: string,
  { level = 'READ', expiresAt = null }: ShareGiven = {},
): Promise<void> {
  await world.sql(
    `insert into asset_share (organization_id, id, asset_id, grantee_kind, grantee_id, level, expires_at, shared_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [owner.organizationId, newId(), assetId, kind, granteeId, level, expiresAt, owner.id],
  )
}

/** A collection, as the collection operations will make it. */
export async function makeCollection(
  world: TestWorld,
  owner: Person,
  assetIds: string[] = [],
): Promise<string> {
  const id = newId()
  await world.sql('insert into collection (organization_id, id, name, owner_id) values ($1, $2, $2, $3)', [
    owner.organizationId,
    id,
    owner.id,
  ])
  for (const assetId of assetIds) {
    await world.sql(
      'insert into collection_asset (organization_id, collection_id, asset_id, added_by) values ($1, $2, $3, $4)',
      [owner.organizationId, id, assetId, owner.id],
    )
  }
  return id
}

/** A link to something in another module, as the link operations will make it. */
export async function linkAsset(
  world: TestWorld,
  owner: Person,
  assetId: string,
  entityType: string,
  entityId: string,
): Promise<void> {
  await world.sql(
    `insert into asset_link (organization_id, id, asset_id, entity_type, entity_id, created_by)
     values ($1, $2, $3, $4, $5, $6)`,
    [owner.organizationId, newId(), assetId, entityType, entityId, owner.id],
  )
}

/** The events that an organization announced, in their order, once the relay has numbered them. */
export async function announced(world: TestWorld, organizationId: string, assetId?: string) {
  await world.relayed()
  return world.sql<{ name: string; actor_id: string | null; data: Record<string, unknown> }>(
    `select name, actor_id, data from event where organization_id = $1
       and ($2::text is null or data ->> 'assetId' = $2) order by seq`,
    [organizationId, assetId ?? null],
  )
}
