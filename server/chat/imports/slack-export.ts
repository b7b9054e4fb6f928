import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { lookUp } from '#platform/required.ts'
import {
  ExportError,
  type HistorySource,
  type SourceChannel,
  type SourceMessage,
  type SourcePerson,
  textOf,
} from './history-source.ts'

/** The most bytes of one file of an export: a day of a channel, or a list. */
const maxEntryBytes = 256 * 1024 * 1024

type SlackUser = { id: string; name?: string; real_name?: string; profile?: Record<string, unknown> }
type SlackChannel = {
  id: string
  name: string
  created?: number
  is_archived?: boolean
  members?: string[]
  topic?: { value?: string }
  purpose?: { value?: string }
}
type SlackMessage = {
  type?: string
  subtype?: string
  ts?: string
  thread_ts?: string
  user?: string
  username?: string
  text?: string
  bot_profile?: { name?: string }
  attachments?: { fallback?: string }[]
  files?: { name?: string; title?: string }[]
}

/** Messages with other subtypes report joins, names and topics. */
const importedSubtypes = new Set([
  undefined,
  'bot_message',
  'me_message',
  'thread_broadcast',
  'file_share',
  'file_comment',
])

/**
 * Opens the ZIP file of an export of Slack: users.json, channels.json, groups.json, and a folder with a file for each day and
 * channel. Reads one of these files at a time. Throws ExportError.
 */
export async function openSlackExport(path: string): Promise<HistorySource> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  async function list<Item>(name: string): Promise<Item[]> {
    const entry = entries.get(name)
    return entry ? readJson<Item>(zip, entry) : []
  }
  const users = await list<SlackUser>('users.json')
  const [publicChannels, privateChannels] = [
    await list<SlackChannel>('channels.json'),
    await list<SlackChannel>('groups.json'),
  ]
  if (!entries.has('users.json') || !entries.has('channels.json'))
    throw new ExportError(
      'The file is no export of Slack: it has no users.json and channels.json at its top.',
    )
  const direct = [...(await list<SlackChannel>('dms.json')), ...(await list<SlackChannel>('mpims.json'))]
  const people = new Map(users.map(user => [user.id, personOf(user)]))
  const channels = [
    ...publicChannels.map(channel => channelOf(channel, true)),
    ...privateChannels.map(channel => channelOf(channel, false)),
  ]
  const names = new Map(channels.map(({ key, name }) => [key, name]))
  return {
    product: 'slack',
    people,
    channels,
    leftOut: direct.map(({ id, name }) => name ?? id),
    async *messagesOf({ name }) {
      const days = [...entries.keys()].filter(file => file.startsWith(`${name}/`) && file.endsWith('.json'))
      for (const day of days.toSorted()) {
        const messages = await readJson<SlackMessage>(zip, lookUp(entries, day))
        yield* messages
          .flatMap(message => messageOf(message, people, names))
          .toSorted((one, other) => one.atMs - other.atMs)
      }
    },
    async close() {
      zip.close()
    },
  }
}

async function readJson<Item>(zip: ZipFile, entry: Entry): Promise<Item[]> {
  if (entry.uncompressedSize > maxEntryBytes) throw new ExportError(`${entry.fileName} is too large.`)
  const pieces: Buffer[] = []
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'))
    if (Array.isArray(parsed)) return parsed
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ExportError(`${entry.fileName} is not a JSON array.`)
}

function personOf({ name, real_name, profile = {} }: SlackUser): SourcePerson {
  const names = [profile.real_name, real_name, profile.display_name, name].map(textOf)
  return { name: names.find(Boolean) ?? 'Slack', email: textOf(profile.email).trim().toLowerCase() || null }
}

function channelOf(channel: SlackChannel, isPublic: boolean): SourceChannel {
  return {
    key: channel.id,
    name: channel.name,
    description: channel.purpose?.value || channel.topic?.value || null,
    isPublic,
    isArchived: channel.is_archived ?? false,
    createdAtMs: (channel.created ?? 0) * 1000,
    memberKeys: channel.members ?? [],
  }
}

function messageOf(
  message: SlackMessage,
  people: ReadonlyMap<string, SourcePerson>,
  channels: ReadonlyMap<string, string>,
): SourceMessage[] {
  const { subtype, ts, thread_ts: thread, user, files = [], attachments = [] } = message
  if (ts === undefined || !importedSubtypes.has(subtype)) return []
  const texts = [
    toMarkdown(message.text ?? '', people, channels),
    ...(message.text ? [] : attachments.map(({ fallback }) => fallback ?? '')),
    ...files.map(file => `[${file.name ?? file.title ?? 'file'}]`),
  ]
  const text = texts.filter(Boolean).join('\n')
  if (text === '') return []
  return [
    {
      key: ts,
      atMs: Math.floor(Number(ts) * 1000),
      authorKey: user,
      authorName: people.get(user ?? '')?.name ?? message.bot_profile?.name ?? message.username ?? 'Slack',
      text,
      rootKey: thread === undefined || thread === ts ? null : thread,
    },
  ]
}

/** The text of a message: names instead of ids, links, and the characters that Slack escapes. */
function toMarkdown(
  text: string,
  people: ReadonlyMap<string, SourcePerson>,
  channels: ReadonlyMap<string, string>,
): string {
  return text
    .replaceAll(/<@(\w+)(?:\|[^>]*)?>/g, (_, id: string) => `@${people.get(id)?.name ?? id}`)
    .replaceAll(
      /<#(\w+)(?:\|([^>]*))?>/g,
      (_, id: string, name?: string) => `#${name || (channels.get(id) ?? id)}`,
    )
    .replaceAll(/<!(?:subteam\^\w+\|@?)?(\w[^>|]*)(?:\|[^>]*)?>/g, '@$1')
    .replaceAll(/<([a-z]+:[^>|]+)\|([^>]*)>/g, '[$2]($1)')
    .replaceAll(/<([a-z]+:[^>|]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
