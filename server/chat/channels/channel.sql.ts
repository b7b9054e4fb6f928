import type { ChannelKind } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { organizationLock } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { foldedName } from '#platform/fold.ts'
import { lookUp } from '#platform/required.ts'
import { type ChannelRow, channelColumns } from './channel.access.ts'

/** The database sets times and counters. */
export type NewChannel = {
  id: string
  kind: ChannelKind
  name: string | null
  description: string | null
  isDiscoverable: boolean
  directKey: string | null
  customerReference: string | null
  createdBy: string
  createdByApplication: string | null
}

const insert = sql<ChannelRow, NewChannel & { nameFolded: string | null }>(
  `insert into chat_channel as c (organization_id, id, kind, name, description, is_discoverable, direct_key,
     customer_reference, created_by, created_by_application, name_folded)
   values ($organization, $id, $kind, $name, $description, $isDiscoverable, $directKey, $customerReference,
     $createdBy, $createdByApplication, $nameFolded) returning ${channelColumns}`,
)
const update = sql<
  ChannelRow,
  {
    id: string
    name: string | null
    description: string | null
    isDiscoverable: boolean
    folded: string | null
  }
>(
  `update chat_channel c set name = $name, description = $description, is_discoverable = $isDiscoverable,
    name_folded = $folded, updated_at = now()
   where c.organization_id = $organization and c.id = $id returning ${channelColumns}`,
)
const archive = sql<ChannelRow, { id: string; by: string | null }>(
  `update chat_channel c set archived_at = case when $by::text is null then null else now() end, archived_by = $by,
     updated_at = now()
   where c.organization_id = $organization and c.id = $id returning ${channelColumns}`,
)

/** A second DIRECT conversation of the same people violates chat_channel_direct. */
export async function insertChannel(tx: Tx, channel: NewChannel): Promise<ChannelRow> {
  return tx.one(insert, { ...channel, nameFolded: foldedOf(channel.name) })
}

export function setChannel(
  tx: Tx,
  id: string,
  { name, description, is_discoverable }: Pick<ChannelRow, 'name' | 'description' | 'is_discoverable'>,
): Promise<ChannelRow> {
  return tx.one(update, {
    id,
    name,
    description,
    isDiscoverable: is_discoverable,
    folded: foldedOf(name),
  })
}

/** Archives a channel on behalf of a person; null unarchives it. */
export function setArchived(tx: Tx, id: string, archivedBy: string | null): Promise<ChannelRow> {
  return tx.one(archive, { id, by: archivedBy })
}

const lockChannelCount = sql<never>(`select ${organizationLock('channels')}`)
const countChannels = sql<{ total: number }>(
  'select count(*) as total from chat_channel c where c.organization_id = $organization',
)

/** Refuses TOO_MANY_IN_CHANNEL if the organization has reached the limit of channels. */
export async function assertChannelLimit(tx: Tx): Promise<void> {
  const [, counted] = await tx.inOrder(
    () => tx.first(lockChannelCount),
    () => tx.one(countChannels),
  )
  if (counted.total >= limits.channelsPerOrganization) fail('TOO_MANY_IN_CHANNEL')
}

const selectDirect = sql<ChannelRow, { key: string }>(
  `select ${channelColumns} from chat_channel c where c.organization_id = $organization and c.direct_key = $key`,
)

export function directChannel(db: Db, key: string): Promise<ChannelRow | undefined> {
  return db.first(selectDirect, { key })
}

function foldedOf(name: string | null): string | null {
  return name === null ? null : foldedName(name)
}

// locks the rows in the order of their ids to avoid deadlocks
const advanceSequences = sql<{ id: string; sequence: number }, { channelIds: readonly string[] }>(
  `with locked as (
     select c.id from chat_channel c where c.organization_id = $organization and c.id = any($channelIds)
     order by c.id for no key update)
   update chat_channel c set event_sequence = c.event_sequence + 1
   from locked where c.organization_id = $organization and c.id = locked.id
   returning c.id, c.event_sequence as sequence`,
)

/**
 * The next sequence of application events in each of these channels. The rows stay locked until the commit, so sequences
 * become visible in order. A new message takes its sequence in the insert statement.
 */
export async function nextSequences(
  tx: Tx,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (channelIds.length === 0) return new Map()
  const rows = await tx.rows(advanceSequences, { channelIds: [...new Set(channelIds)] })
  return new Map(rows.map(({ id, sequence }) => [id, sequence]))
}

export async function nextSequence(tx: Tx, channelId: string): Promise<number> {
  return lookUp(await nextSequences(tx, [channelId]), channelId)
}
