import { type UnitKind, units } from '#contract/identity/units.ts'
import type { Input, Reply } from '#contract/operation.ts'
import { createAsset } from '#contract/studio/assets.ts'
import { createCollection } from '#contract/studio/collections.ts'
import { createLink } from '#contract/studio/links.ts'
import { createShare, type GranteeType } from '#contract/studio/shares.ts'
import { newId } from '#platform/ids.ts'
import { findIn } from '../elements.ts'
import { insertRows } from '../rows.ts'
import type { Person, TestServer } from '../test-server.ts'

type AssetInput = Partial<Input<typeof createAsset>['body']>

/** Creates an asset of the person, with defaults for omitted fields. */
export function makeAsset(person: Person, input: AssetInput = {}): Promise<Reply<typeof createAsset>> {
  return person.call(createAsset, { body: { type: 'PROMPT', name: `Asset ${newId()}`, ...input } })
}

/** Creates a department, workspace or group with its members. */
export async function makeUnit(kind: UnitKind, admin: Person, members: Person[] = []): Promise<string> {
  const { create, addMember } = findIn(units, unit => unit.kind === kind)
  const { id } = await admin.call(create, { body: { name: `${kind} ${newId()}` } })
  for (const { id: personId } of members) await admin.call(addMember, { params: { id, personId } })
  return id
}

type ShareInput = { level?: 'READ' | 'EDIT' | 'ADMIN'; expiresAt?: string | null }

/** Shares an asset with a person or a unit. `expiresAt` may be in the past, which operations do not allow. */
export async function shareAsset(
  server: TestServer,
  owner: Person,
  assetId: string,
  granteeType: GranteeType,
  granteeId: string,
  { level: accessLevel = 'READ', expiresAt = null }: ShareInput = {},
): Promise<string> {
  const body = { granteeType, granteeId, accessLevel }
  const isPast = expiresAt !== null && Date.parse(expiresAt) < Date.now()
  const { id } = await owner.call(createShare, {
    params: { id: assetId },
    body: { ...body, expiresAt: isPast ? new Date(Date.now() + 3_600_000).toISOString() : expiresAt },
  })
  if (isPast) await server.sql('update asset_share set expires_at = $2 where id = $1', [id, expiresAt])
  return id
}

type CollectionInput = Partial<Input<typeof createCollection>['body']>

/** Creates a collection of the person, with defaults for omitted fields. */
export async function makeCollection(owner: Person, input: CollectionInput = {}): Promise<string> {
  return (await owner.call(createCollection, { body: { name: `Collection ${newId()}`, ...input } })).id
}

/** Links an asset to an entity of another module. */
export async function linkAsset(
  owner: Person,
  assetId: string,
  entityType: string,
  entityId: string,
): Promise<string> {
  return (await owner.call(createLink, { params: { id: assetId }, body: { entityType, entityId } })).id
}

/** Inserts the row of an attachment, as an upload does, without an object in the file store. */
export async function attachFile(
  server: TestServer,
  owner: Person,
  assetId: string,
  versionId: string,
  { path, sha256 = newId(), size = 1 }: { path: string; sha256?: string; size?: number },
): Promise<void> {
  await insertRows(server, 'asset_file', [
    {
      organization_id: owner.organizationId,
      asset_id: assetId,
      version_id: versionId,
      path,
      size,
      sha256,
      created_by: owner.id,
    },
  ])
}

/** The events of an organization in order, once the relay has numbered them. */
export async function emittedEvents(server: TestServer, organizationId: string, assetId?: string) {
  await server.relayed()
  return server.sql<{ name: string; actor_id: string | null; data: Record<string, unknown> }>(
    `select name, actor_id, data from event where organization_id = $1
       and ($2::text is null or data ->> 'assetId' = $2) order by seq`,
    [organizationId, assetId ?? null],
  )
}
