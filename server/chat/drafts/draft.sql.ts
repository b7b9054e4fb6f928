import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** A person has one draft for each channel, and for each thread in it. */
export type DraftKey = { channelId: string; threadId: string | null }
export type DraftRow = { channel_id: string; thread_id: string; content: string; updated_at: string }

const columns = 'd.channel_id, d.thread_id, d.content, d.updated_at'
const ofKey =
  'd.organization_id = $organization and d.person_id = $personId and d.channel_id = $channelId and d.thread_id = $threadId'
type KeyArgs = { personId: string; channelId: string; threadId: string }

const selectOne = sql<DraftRow, KeyArgs>(`select ${columns} from chat_draft d where ${ofKey}`)
// the primary key, then a sort of at most limits.draftsPerPerson rows
const selectAll = sql<DraftRow, { personId: string }>(
  `select ${columns} from chat_draft d where d.organization_id = $organization and d.person_id = $personId
   order by d.updated_at desc, d.channel_id, d.thread_id limit ${limits.draftsPerPerson}`,
)
const upsert = sql<DraftRow, KeyArgs & { content: string }>(
  `insert into chat_draft as d (organization_id, person_id, channel_id, thread_id, content, updated_at)
   select $organization, m.person_id, m.channel_id, $threadId, $content, now() from chat_member m
   where m.organization_id = $organization and m.person_id = $personId and m.channel_id = $channelId and (
     ${limits.draftsPerPerson} > (
       select count(*) from chat_draft o where o.organization_id = $organization and o.person_id = $personId)
     or exists (select from chat_draft d where ${ofKey}))
   on conflict (organization_id, person_id, channel_id, thread_id)
     do update set content = excluded.content, updated_at = excluded.updated_at
   returning ${columns}`,
)
const remove = sql<never, KeyArgs>(`delete from chat_draft d where ${ofKey}`)

export function draftAt(
  db: Db,
  personId: string,
  { channelId, threadId }: DraftKey,
): Promise<DraftRow | undefined> {
  return db.first(selectOne, { personId, channelId, threadId: threadId ?? '' })
}

export function draftsOf(db: Db, personId: string): Promise<DraftRow[]> {
  return db.rows(selectAll, { personId })
}

/** Undefined if the person is not in the channel, or has limits.draftsPerPerson drafts elsewhere. */
export function setDraft(
  tx: Tx,
  personId: string,
  { channelId, threadId }: DraftKey,
  content: string,
): Promise<DraftRow | undefined> {
  return tx.first(upsert, { personId, channelId, threadId: threadId ?? '', content })
}

export async function removeDraft(
  tx: Tx,
  personId: string,
  { channelId, threadId }: DraftKey,
): Promise<void> {
  await tx.run(remove, { personId, channelId, threadId: threadId ?? '' })
}
