import { createHash } from 'node:crypto'
import { firstId } from '#platform/ids.ts'

/** A person of the product that a history comes from. */
export type SourcePerson = { name: string; email: string | null }

/** A channel of a history. `memberKeys` and `creatorKey` are keys of its people. */
export type SourceChannel = {
  key: string
  name: string
  description: string | null
  /** Everybody in the organization may find and join it. */
  isPublic: boolean
  isArchived: boolean
  createdAtMs: number
  memberKeys: readonly string[]
}

/** A message of a history. `rootKey` is the message that started its thread. */
export type SourceMessage = {
  key: string
  atMs: number
  /** The key of a person; undefined for a bot, which has only a name. */
  authorKey: string | undefined
  authorName: string
  text: string
  rootKey: string | null
}

/** The history of another product. */
export type HistorySource = {
  /** The product, which is part of the ids of what is imported. */
  readonly product: 'slack' | 'mattermost'
  readonly people: ReadonlyMap<string, SourcePerson>
  readonly channels: readonly SourceChannel[]
  /** Conversations of the source that are not imported, such as direct messages. */
  readonly leftOut: readonly string[]
  /** The messages of a channel in the order of their times. */
  messagesOf(channel: SourceChannel): AsyncIterable<SourceMessage>
  close(): Promise<void>
}

/** A file that is not an export of the named product; the message is for people. */
export class ExportError extends Error {
  readonly isForPeople = true
}

/** A value as text, or an empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * The id of an imported object: ordered by the time of the original, and the same at each import into the same organization.
 */
export function importedId(atMs: number, ...keys: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(keys)).digest('hex')
  return firstId(atMs) + (BigInt(`0x${digest}`) % 36n ** 16n).toString(36).padStart(16, '0')
}
