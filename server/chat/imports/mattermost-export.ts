import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { required } from '#platform/required.ts'
import {
  ExportError,
  type HistorySource,
  type SourceChannel,
  type SourceMessage,
  type SourcePerson,
  textOf,
} from './history-source.ts'

const maxLineBytes = 16 * 1024 * 1024

type MattermostUser = {
  username: string
  email?: string
  nickname?: string
  first_name?: string
  last_name?: string
  teams?: { name: string; channels?: { name: string }[] | null }[] | null
}
type MattermostChannel = {
  team: string
  name: string
  display_name?: string
  type?: string
  header?: string
  purpose?: string
  deleted_at?: number
}
type MattermostReply = { user?: string; message?: string; create_at?: number; type?: string }
type MattermostPost = MattermostReply & { team: string; channel: string; replies?: MattermostReply[] | null }
type Line = {
  type?: string
  user?: MattermostUser
  channel?: MattermostChannel
  post?: MattermostPost
  direct_channel?: { members?: string[] }
}

/** The position of a post, or of its reply with this index, in the file. */
type Position = { atMs: number; offset: number; length: number; reply: number | null }

/**
 * Opens the JSONL file of a bulk export of Mattermost. Its posts are in no order of time, so a first pass keeps the time and
 * position of each message, and a second one reads the messages in order. Throws ExportError.
 */
export async function openMattermostExport(path: string): Promise<HistorySource> {
  const people = new Map<string, SourcePerson>()
  const channels = new Map<string, SourceChannel & { memberKeys: string[] }>()
  const positions = new Map<string, Position[]>()
  const leftOut: string[] = []
  let isExport = false
  for await (const { line, offset, length } of linesOf(path)) {
    const { type, user, channel, post, direct_channel: direct } = parsed(line, offset)
    isExport ||= type === 'version'
    if (type === 'user' && user) {
      people.set(user.username, personOf(user))
      for (const { name: team, channels: joined } of user.teams ?? [])
        for (const { name } of joined ?? []) channels.get(keyOf(team, name))?.memberKeys.push(user.username)
    } else if (type === 'channel' && channel)
      channels.set(keyOf(channel.team, channel.name), channelOf(channel))
    else if (type === 'direct_channel') leftOut.push((direct?.members ?? []).join(', '))
    else if (type === 'post' && post) {
      const key = keyOf(post.team, post.channel)
      const known = positions.get(key) ?? []
      positions.set(key, known)
      known.push({ atMs: post.create_at ?? 0, offset, length, reply: null })
      for (const [reply, { create_at: atMs = 0 }] of (post.replies ?? []).entries())
        known.push({ atMs, offset, length, reply })
    }
  }
  if (!isExport)
    throw new ExportError('The file is no bulk export of Mattermost: it has no line of the type version.')
  const file = await open(path)
  return {
    product: 'mattermost',
    people,
    channels: [...channels.values()].map(channel => ({
      ...channel,
      createdAtMs: (positions.get(channel.key) ?? []).reduce(
        (first, { atMs }) => Math.min(first, atMs),
        Date.UTC(2015, 9),
      ),
    })),
    leftOut,
    async *messagesOf({ key }) {
      const inOrder = (positions.get(key) ?? []).toSorted((one, other) => one.atMs - other.atMs)
      for (const position of inOrder) yield* await messageAt(file, position, people)
    },
    close: () => file.close(),
  }
}

/** The lines of a file with their positions, without reading the file into memory. */
async function* linesOf(
  path: string,
): AsyncGenerator<{ line: string; offset: number; length: number }, void> {
  let pending: Buffer = Buffer.alloc(0)
  let offset = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    pending = pending.length > 0 ? Buffer.concat([pending, piece]) : piece
    let from = 0
    for (let end = pending.indexOf(10); end !== -1; end = pending.indexOf(10, from)) {
      yield { line: pending.toString('utf8', from, end), offset, length: end - from }
      offset += end - from + 1
      from = end + 1
    }
    pending = pending.subarray(from)
    if (pending.length > maxLineBytes) throw new ExportError('A line of the file is too long.')
  }
  if (pending.length > 0) yield { line: pending.toString('utf8'), offset, length: pending.length }
}

function parsed(line: string, offset: number): Line {
  if (line.trim() === '') return {}
  try {
    return JSON.parse(line)
  } catch {
    throw new ExportError(`The line at byte ${offset} is not JSON.`)
  }
}

function keyOf(team: string, channel: string): string {
  return `${team}/${channel}`
}

function personOf({ username, email, nickname, first_name, last_name }: MattermostUser): SourcePerson {
  const fullName = [first_name, last_name].filter(Boolean).join(' ')
  return { name: fullName || nickname || username, email: textOf(email).trim().toLowerCase() || null }
}

function channelOf(channel: MattermostChannel): SourceChannel & { memberKeys: string[] } {
  return {
    key: keyOf(channel.team, channel.name),
    name: channel.display_name || channel.name,
    description: channel.purpose || channel.header || null,
    isPublic: channel.type === 'O',
    isArchived: (channel.deleted_at ?? 0) > 0,
    createdAtMs: 0,
    memberKeys: [],
  }
}

async function messageAt(
  file: FileHandle,
  { offset, length, reply }: Position,
  people: ReadonlyMap<string, SourcePerson>,
): Promise<SourceMessage[]> {
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset)
  const post = required(parsed(buffer.toString('utf8'), offset).post, 'the post of a line')
  const message = reply === null ? post : required(post.replies?.[reply], 'the reply of a post')
  // other types report joins, names and headers
  if (!message.message || message.type?.startsWith('system_')) return []
  const rootKey = `${post.create_at} ${post.user}`
  return [
    {
      key: reply === null ? rootKey : `${rootKey} ${message.create_at} ${message.user} ${reply}`,
      atMs: message.create_at ?? 0,
      authorKey: message.user,
      authorName: people.get(message.user ?? '')?.name ?? message.user ?? 'Mattermost',
      text: message.message,
      rootKey: reply === null ? null : rootKey,
    },
  ]
}
