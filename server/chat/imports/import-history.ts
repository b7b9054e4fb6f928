import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db } from '#platform/data/db.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { foldedName } from '#platform/fold.ts'
import { internalOrigin } from '#platform/http/caller.ts'
import { assertChannelLimit } from '../channels/channel.sql.ts'
import { hasCapacity, insertMembers } from '../members/member.sql.ts'
import { searchWordsOf } from '../messages/search/message-search.terms.ts'
import {
  ExportError,
  type HistorySource,
  importedId,
  type SourceChannel,
  type SourceMessage,
} from './history-source.ts'
import {
  appendMessages,
  type ImportedMessage,
  insertImportedChannel,
  membersByEmail,
  organizationOf,
} from './import-history.sql.ts'
import { openMattermostExport } from './mattermost-export.ts'
import { openSlackExport } from './slack-export.ts'

const messagesPerTransaction = 500

export type HistoryImport = {
  organizationId: string
  /** The e-mail of the member who owns the channels. Messages of people without an account are theirs, with a name. */
  owner: string
  /** A ZIP file of Slack or a JSONL file of Mattermost. */
  from: string
  isDryRun: boolean
}

/** The result of an import. */
export type HistoryReport = {
  organization: string
  channels: number
  added: number
  /** Messages that an earlier import added. */
  skipped: number
  matchedPeople: number
  /** The names of people without an account in the organization. */
  unmatchedPeople: string[]
  leftOut: string[]
}

/**
 * Imports the channels of an export with their messages, threads, authors and times. Nobody is notified, and no event is sent.
 * An interrupted import is continued by running it again. Throws ExportError. `print` receives the progress (HIST-1 to HIST-6).
 */
export async function importHistory(
  database: Database,
  input: HistoryImport,
  print: (line: string) => void,
): Promise<HistoryReport> {
  const db = database.of(input.organizationId)
  const organization = await organizationOf(db)
  if (!organization) throw new ExportError(`There is no organization ${input.organizationId}.`)
  const source = await (input.from.endsWith('.zip') ? openSlackExport : openMattermostExport)(input.from)
  try {
    const { personOf, ownerId } = await matchPeople(db, source, input.owner)
    const people = [...source.people]
    const report: HistoryReport = {
      organization: organization.name,
      channels: 0,
      added: 0,
      skipped: 0,
      matchedPeople: people.filter(([key]) => personOf.has(key)).length,
      unmatchedPeople: people.filter(([key]) => !personOf.has(key)).map(([, { name }]) => name),
      leftOut: [...source.leftOut],
    }
    for (const channel of source.channels) {
      const { added, skipped } = await importChannel(database, input, source, channel, { personOf, ownerId })
      report.channels++
      report.added += added
      report.skipped += skipped
      print(`#${channel.name}: ${added} messages${skipped > 0 ? `, ${skipped} were there already` : ''}`)
    }
    return report
  } finally {
    await source.close()
  }
}

/** The ids of members by the keys of the source, and the member who imports. */
type People = { personOf: ReadonlyMap<string, string>; ownerId: string }

async function matchPeople(db: Db, source: HistorySource, owner: string): Promise<People> {
  const emails = [...source.people.values()].flatMap(({ email }) => (email === null ? [] : [email]))
  const ownerEmail = owner.trim().toLowerCase()
  const members = await membersByEmail(db, [...new Set([...emails, ownerEmail])])
  const byEmail = new Map(members.map(({ id, email }) => [email, id]))
  const ownerId = byEmail.get(ownerEmail)
  if (ownerId === undefined) throw new ExportError(`${owner} is not a member of the organization.`)
  const personOf = new Map<string, string>()
  for (const [key, { email }] of source.people) {
    const id = byEmail.get(email ?? '')
    if (id !== undefined) personOf.set(key, id)
  }
  return { personOf, ownerId }
}

async function importChannel(
  database: Database,
  { organizationId, isDryRun }: HistoryImport,
  source: HistorySource,
  channel: SourceChannel,
  people: People,
): Promise<{ added: number; skipped: number }> {
  const keys = [organizationId, source.product, channel.key] as const
  const channelId = importedId(channel.createdAtMs, ...keys)
  const counts = { added: 0, skipped: 0 }
  if (!isDryRun) await createChannel(database, organizationId, channelId, channel, people)
  let batch: ImportedMessage[] = []
  async function flush(): Promise<void> {
    const messages = batch
    batch = []
    const added = isDryRun
      ? messages.length
      : await database.transact(organizationId, tx => appendMessages(tx, channelId, messages))
    counts.added += added
    counts.skipped += messages.length - added
  }
  const times = new Map<string, number>()
  for await (const message of source.messagesOf(channel)) {
    times.set(message.key, message.atMs)
    batch.push(...partsOf(message, keys, times, people))
    if (batch.length >= messagesPerTransaction) await flush()
  }
  if (batch.length > 0) await flush()
  return counts
}

async function createChannel(
  database: Database,
  organizationId: string,
  id: string,
  channel: SourceChannel,
  { personOf, ownerId }: People,
): Promise<void> {
  const members = channel.memberKeys.flatMap(key => personOf.get(key) ?? []).filter(one => one !== ownerId)
  const memberIds = [...new Set(members)]
  const name = channel.name.slice(0, limits.channelName)
  const caller = { auth: 'session', personId: ownerId, applicationId: null } as const
  let isNew = false
  await database.transact(
    organizationId,
    async tx => {
      const [hasPlace] = await Promise.all([
        hasCapacity(tx, id, [ownerId, ...memberIds]),
        assertChannelLimit(tx),
      ])
      if (!hasPlace)
        throw new ExportError(`#${channel.name} or one of its people would exceed a limit of channels.`)
      isNew = await insertImportedChannel(tx, {
        id,
        name,
        folded: foldedName(name),
        description: channel.description?.slice(0, limits.channelDescription) ?? null,
        isPublic: channel.isPublic,
        createdBy: ownerId,
        createdAt: new Date(channel.createdAtMs).toISOString(),
        isArchived: channel.isArchived,
      })
      if (!isNew) return
      await insertMembers(tx, id, [ownerId], 'OWNER')
      await insertMembers(tx, id, memberIds, 'MEMBER')
    },
    async tx => {
      if (!isNew) return
      const detail = { members: memberIds.length + 1 }
      await recordOutbox(tx, caller, internalOrigin, 'import-chat', {
        subject: id,
        changed: ['name'],
        detail,
      })
    },
  )
}

/** The messages of Patio for one of the source: several if it is longer than a message may be. */
function partsOf(
  { key, atMs, authorKey, authorName, text, rootKey }: SourceMessage,
  channelKeys: readonly [string, string, string],
  times: ReadonlyMap<string, number>,
  { personOf, ownerId }: People,
): ImportedMessage[] {
  const personId = personOf.get(authorKey ?? '')
  const whole = (personId === undefined ? `**${authorName}:** ${text}` : text).replaceAll('\0', '')
  const rootAt = rootKey === null ? undefined : times.get(rootKey)
  const rootId = rootKey === null || rootAt === undefined ? null : importedId(rootAt, ...channelKeys, rootKey)
  const parts = whole.match(new RegExp(`.{1,${limits.messageContent}}`, 'gsu')) ?? []
  return parts.map((content, part) => ({
    id: importedId(atMs, ...channelKeys, key, ...(part === 0 ? [] : [String(part)])),
    rootId,
    authorId: personId ?? ownerId,
    content,
    at: new Date(atMs).toISOString(),
    words: searchWordsOf(content),
  }))
}
